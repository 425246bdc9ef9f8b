"""``python -m compile_lessons`` is ``compile-lessons``."""

import sys


def main() -> None:
    try:
        from compile_lessons.commands.cli import app  # takes half a second, in which Ctrl-C prints no traceback either
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        sys.exit(130)
    app(prog_name="compile-lessons")


if __name__ == "__main__":
    main()
