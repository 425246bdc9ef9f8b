"""Where the course is on the web."""

SITE = "https://compile-lessons.github.io/compile-lessons/"


def address(lesson: str) -> str:
    """Return the web address of a page such as ``dynamo/guards``, or of a part of it, ``dynamo/guards#causes``."""
    page, mark, part = lesson.partition("#")
    return f"{SITE}{page}/{mark}{part}"
