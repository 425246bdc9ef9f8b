"""The forms in which one value gives the arguments of a call."""

import functools
from collections.abc import Callable, Iterable
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

#: The positional arguments and the keywords of one call.
Arguments = tuple[tuple[Any, ...], dict[str, Any]]
#: What runs before a call, without arguments.
Step = Callable[[], Any]


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


def calls_and_steps(items: Iterable[Any]) -> tuple[list[Any], list[list[Step]]]:
    """Return the items that give the arguments of a call, and for each what to run before it.

    A function, a method or a partial among the items is run before the next call, such as a scheduler's step. Put a
    function that is itself an argument into a tuple.
    """
    calls, steps, waiting = list[Any](), list[list[Step]](), list[Step]()
    for item in items:
        if isinstance(item, FunctionType | BuiltinFunctionType | MethodType | functools.partial):
            waiting.append(item)
        else:
            calls.append(item)
            steps.append(waiting)
            waiting = []
    return calls, steps
