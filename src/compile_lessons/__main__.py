"""``python -m compile_lessons`` is ``compile-lessons``."""

from compile_lessons.cli import app

app(prog_name="compile-lessons")
