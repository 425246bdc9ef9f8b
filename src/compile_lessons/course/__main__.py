"""``python -m compile_lessons.course``."""

import sys

try:
    from compile_lessons.course.cli import app  # takes half a second, in which Ctrl-C prints no traceback either
except KeyboardInterrupt:
    print("interrupted", file=sys.stderr)
    sys.exit(130)

app(prog_name="python -m compile_lessons.course")
