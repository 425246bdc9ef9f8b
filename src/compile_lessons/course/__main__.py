"""``python -m compile_lessons.course``."""

import sys

try:
    from compile_lessons.course.cli import app  # takes half a second, in which Ctrl-C prints no traceback either
    from compile_lessons.ground.streams import run_command
except KeyboardInterrupt:
    print("interrupted", file=sys.stderr)
    sys.exit(130)

run_command(app, "python -m compile_lessons.course")
