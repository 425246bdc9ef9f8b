"""Put an exception of other people's code into words."""

from __future__ import annotations


def message_of(error: BaseException) -> str:
    """Return ``str(error)``, also where the exception's own ``__str__`` raises."""
    try:
        return str(error)
    except Exception as raised:  # of any type: it is the user's method
        return f"(its __str__ raised {type(raised).__name__})"
