"""The program as it would be without ``torch.compile``, for an eager run.

The eager run finds the original wherever the program refers to what ``torch.compile`` returned: for a module that is
another module, whose parameters have other names. The stance ``force_eager`` would keep the wrappers, and would end
``torch.cond`` with gradients, which compiles in eager mode too.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from types import FunctionType
from typing import Any

import torch

from compile_lessons.api.compare.reach import inside, walk
from compile_lessons.ground.patching import replaced
from compile_lessons.pipeline.compiled import is_compiled_in_place, original_of, without_compile
from compile_lessons.pipeline.contents import in_cell
from compile_lessons.pipeline.locations import is_outside_torch


@contextmanager
def uncompiled_program(roots: dict[str, Any]) -> Iterator[None]:
    """Within it nothing that ``roots`` can reach is compiled, and ``torch.compile`` compiles nothing."""
    with ExitStack() as stack:
        stack.enter_context(replaced({"torch:compile": partial(_compile_nothing, torch.compile)}))
        for value in list(walk(roots, inside).objects.values()):
            if is_compiled_in_place(value):
                stack.callback(setattr, value, "_compiled_call_impl", value._compiled_call_impl)
                value._compiled_call_impl = None
            for items, replace in _places(value):
                for name, item in items:
                    if _is_compiled(item):
                        stack.callback(replace, name, item)
                        replace(name, without_compile(item))
        yield


def _compile_nothing(original: Callable[..., Any], model: Any = None, **options: Any) -> Any:
    """Return the program's ``model`` as it is. Torch's own calls compile: ``torch.cond`` does, also in eager mode."""
    is_programs = (
        is_outside_torch(sys._getframe(1).f_code.co_filename) or getattr(model, "__name__", "") == "_call_impl"
    )
    if not is_programs:
        return original(model, **options)
    return (lambda decorated: decorated) if model is None else model


#: What an object keeps under which names, and what replaces one of them.
_Place = tuple[list[tuple[Any, Any]], Callable[[Any, Any], None]]


def _places(value: Any) -> Iterator[_Place]:
    """Yield the places in which an object, or its class, keeps what it refers to."""
    if isinstance(value, FunctionType):
        yield list(value.__globals__.items()), value.__globals__.__setitem__
        for cell in value.__closure__ or ():
            yield [("cell_contents", it) for it in in_cell(cell)], partial(setattr, cell)
    elif isinstance(value, dict):
        yield list(value.items()), value.__setitem__
    elif isinstance(value, list):
        yield list(enumerate(value)), value.__setitem__
    elif hasattr(value, "__dict__") and not isinstance(value, type):
        yield list(vars(value).items()), vars(value).__setitem__
        if isinstance(value, torch.nn.Module):
            yield list(value._modules.items()), value._modules.__setitem__
        for base in type(value).__mro__[:-1]:
            yield list(vars(base).items()), partial(setattr, base)


def _is_compiled(value: Any) -> bool:
    return callable(value) and original_of(value) is not None and without_compile(value) is not value
