"""Errors that a reader can correct, and exceptions of other people's code in words."""


class ProjectError(Exception):
    """Something about the project's files that the reader can fix; the message says how."""


def message_of(error: BaseException) -> str:
    """Return ``str(error)``, also where the exception's own ``__str__`` raises."""
    try:
        return str(error)
    except Exception as raised:  # of any type: it is the user's method
        return f"(its __str__ raised {type(raised).__name__})"
