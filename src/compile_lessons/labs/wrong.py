"""What a check raises: a message that teaches, and the lesson that explains more."""


class Wrong(Exception):
    """An answer that a check does not accept. ``lesson`` is a page, ``dynamo/guards``; empty for the lab's first."""

    def __init__(self, message: str, lesson: str = "") -> None:
        super().__init__(message)
        self.lesson = lesson


class NotDone(Exception):
    """A part of the answer that still has its hole, ``...``."""


def require(condition: object, message: str, lesson: str = "") -> None:
    """Raise ``Wrong`` unless the condition holds."""
    if not condition:
        raise Wrong(message, lesson)
