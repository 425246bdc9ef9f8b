"""The commands of the course's authors: ``python -m compile_lessons.course``."""
