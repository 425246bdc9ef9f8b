"""``python -m compile_lessons`` is ``compile-lessons``."""

import sys


def main() -> None:
    try:
        from compile_lessons.commands.cli import app  # takes half a second, in which Ctrl-C prints no traceback either
        from compile_lessons.ground.streams import run_command
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        sys.exit(130)
    run_command(app, "compile-lessons")


if __name__ == "__main__":
    main()
