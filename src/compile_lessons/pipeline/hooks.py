"""Watch functions of torch while they run, and put them back."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import torch


class MissingHook(RuntimeError):
    """This torch lacks a private function that a stage watches."""


def resolve(target: str) -> tuple[Any, str]:
    """The owner and the attribute of ``"package.module:Class.method"``. Raises ``MissingHook`` if it is not there."""
    module, _, path = target.partition(":")
    *owners, name = path.split(".")
    try:
        owner = functools.reduce(getattr, owners, importlib.import_module(module))
        inspect.getattr_static(owner, name)
    except (ImportError, AttributeError) as error:
        raise MissingHook(f"torch {torch.__version__} has no {target}, which compile_lessons watches") from error
    return owner, name


def install(stack: ExitStack, watch: Any) -> None:
    """Call ``watch``'s methods instead of the functions named in ``watch.HOOKS``, until ``stack`` closes.

    ``HOOKS`` maps a target, as for ``resolve``, to a method's name. The method is called with the original function
    and then with the arguments of the call.
    """
    for target, method in watch.HOOKS.items():
        _replace(stack, target, getattr(watch, method))


def _replace(stack: ExitStack, target: str, around: Callable[..., Any]) -> None:
    owner, name = resolve(target)
    static = inspect.getattr_static(owner, name)
    original = static.__func__ if isinstance(static, staticmethod) else static

    @functools.wraps(original)
    def watched(*args: Any, **kwargs: Any) -> Any:
        return around(original, *args, **kwargs)

    setattr(owner, name, staticmethod(watched) if isinstance(static, staticmethod) else watched)
    stack.callback(setattr, owner, name, static)
