"""The program as it would be without ``torch.compile``, for an eager run.

``torch.compile(module)`` returns another module, around the original, whose parameters have other names. So the eager
run finds the original wherever the program refers to what ``torch.compile`` returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from types import FunctionType
from typing import Any

import torch

from compile_lessons.compare.reach import inside, walk
from compile_lessons.pipeline.compiled import without_compile


@contextmanager
def uncompiled_program(roots: dict[str, Any]) -> Iterator[None]:
    """Within it nothing that ``roots`` can reach is compiled, and no reference leads to what ``torch.compile`` made."""
    with ExitStack() as stack:
        stack.enter_context(torch.compiler.set_stance("force_eager"))
        for value in list(walk(roots, inside).values()):
            for place in _places(value):
                _replace(place, stack.callback)
        yield


def _places(value: Any) -> Iterator[Any]:
    """Yield the dictionaries, lists and cells in which an object keeps what it refers to."""
    if isinstance(value, FunctionType):
        yield value.__globals__
        yield from value.__closure__ or ()
    elif isinstance(value, dict | list):
        yield value
    elif hasattr(value, "__dict__") and not isinstance(value, type):
        yield vars(value)
        if isinstance(value, torch.nn.Module):
            yield value._modules


def _replace(place: Any, at_end: Callable[..., Any]) -> None:
    if isinstance(place, dict | list):
        items = place.items() if isinstance(place, dict) else enumerate(place)
        for key, item in list(items):
            if _is_wrapper(item):
                at_end(partial(place.__setitem__, key, item))
                place[key] = without_compile(item)
        return
    try:
        item = place.cell_contents
    except ValueError:  # not filled yet; there is no other test
        return
    if _is_wrapper(item):
        at_end(partial(setattr, place, "cell_contents", item))
        place.cell_contents = without_compile(item)


def _is_wrapper(value: Any) -> bool:
    return isinstance(value, torch._dynamo.OptimizedModule)
