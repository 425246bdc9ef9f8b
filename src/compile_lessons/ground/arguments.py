"""The forms in which one value gives the arguments of a call."""

from __future__ import annotations

from typing import Any

#: The positional arguments and the keywords of one call.
Arguments = tuple[tuple[Any, ...], dict[str, Any]]


def call_arguments(value: Any) -> Arguments:
    """Return the arguments that ``value`` gives.

    A tuple holds the positional arguments, a dict the keywords, a pair of a tuple and a dict both. Anything else is
    one argument, a list too. Put a tuple or a dict that is itself an argument into a tuple: ``({"x": 1},)``.
    """
    if isinstance(value, dict):
        return (), value
    if not isinstance(value, tuple):
        return (value,), {}
    if len(value) == 2 and isinstance(value[0], tuple) and isinstance(value[1], dict):
        return value
    return value, {}
