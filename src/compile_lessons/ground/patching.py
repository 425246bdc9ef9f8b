"""Replace attributes of torch and triton for a while, and say plainly which one a new torch lacks.

An attribute is named by its module and its path in it: ``torch._dynamo.guards:CheckFunctionManager.compile_check_fn``.
"""

import functools
import importlib
import inspect
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import torch

#: The version of torch, ``(2, 13)``.
TORCH = tuple(map(int, torch.__version__.split("+")[0].split(".")[:2]))


class UnsupportedTorch(RuntimeError):
    """This torch, or its triton, lacks an attribute that the package needs. The message names both."""


def resolve(target: str) -> tuple[Any, str]:
    """Return the owner and the name of an attribute. Raises ``UnsupportedTorch`` if it does not exist."""
    module, _, path = target.partition(":")
    *owners, name = path.split(".")
    try:
        owner = functools.reduce(getattr, owners, importlib.import_module(module))
        inspect.getattr_static(owner, name)
    except (ImportError, AttributeError) as error:
        raise UnsupportedTorch(
            f"torch {torch.__version__} has no {target}, which compile_lessons needs. "
            "Fix: install a torch that this package supports (2.11 to 2.15)"
        ) from error
    return owner, name


def original(target: str) -> Any:
    """Return an attribute as its owner holds it: a ``staticmethod`` or ``property`` object, not what it returns."""
    return inspect.getattr_static(*resolve(target))


def require(target: str) -> Any:
    """Return an attribute's value. Raises ``UnsupportedTorch`` if it does not exist."""
    return getattr(*resolve(target))


@contextmanager
def replaced(values: Mapping[str, Any]) -> Iterator[None]:
    """Within it each attribute is the value given for it; after it, also after an exception, all are as before.

    Raises ``UnsupportedTorch``, before anything is replaced, if an attribute does not exist.
    """
    places = {target: resolve(target) for target in values}
    with ExitStack() as stack:
        for target, value in values.items():
            owner, name = places[target]
            if name in vars(owner):
                stack.callback(setattr, owner, name, vars(owner)[name])
            else:  # inherited: the value would hide it
                stack.callback(delattr, owner, name)
            setattr(owner, name, value)
        yield
