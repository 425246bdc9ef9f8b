"""Watch functions of torch while they run."""

import functools
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, ClassVar, Protocol

from compile_lessons.ground.patching import original, replaced

#: The function of torch that a method is called for.
Original = Callable[..., Any]


class Watch(Protocol):
    """What a stage notes. ``HOOKS`` maps each function of torch that is watched to the name of a method.

    The method is called instead of the function, with the original function first and then the arguments of the call.
    """

    HOOKS: ClassVar[dict[str, str]]


def install(stack: ExitStack, watch: Watch) -> None:
    """Call the methods of ``watch`` instead of the functions in its ``HOOKS``, until ``stack`` closes.

    Raises ``UnsupportedTorch`` if this torch lacks one of the functions.
    """
    methods = {target: _around(target, getattr(watch, method)) for target, method in watch.HOOKS.items()}
    stack.enter_context(replaced(methods))


def _around(target: str, method: Callable[..., Any]) -> Any:
    static = original(target)
    function = static.__func__ if isinstance(static, staticmethod) else static

    @functools.wraps(function)
    def watched(*args: Any, **kwargs: Any) -> Any:
        return method(function, *args, **kwargs)

    return staticmethod(watched) if isinstance(static, staticmethod) else watched
