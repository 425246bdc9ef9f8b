"""What containers, closures and objects hold, and the values at their ends."""

import enum
import functools
from collections import deque
from collections.abc import Iterator
from types import BuiltinMethodType, CellType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

import numpy
import torch

#: Values with nothing inside to look at.
ATOMS = (str, bytes, int, float, complex, type(None), torch.dtype, torch.device, enum.Enum, type, ModuleType)

#: One step of a path, such as ``".weight"`` or ``"[0]"``, and what is there.
Step = tuple[str, Any]


def values_in(value: Any, path: str, seen: frozenset[int] = frozenset()) -> Iterator[Step]:
    """Yield the tensors and plain values in containers, closures and objects, each with its path. Leave modules out.

    A set is one value, as it has no order in which to name what it holds.
    """
    if isinstance(value, (torch.Tensor, numpy.ndarray, set, frozenset, *ATOMS)):
        yield path, value
    elif not isinstance(value, torch.nn.Module) and id(value) not in seen:
        inside = list(contents(value))
        if isinstance(value, FunctionType) or not (inside or isinstance(value, (dict, tuple, list))):
            yield path, value
        for step, item in inside:
            yield from values_in(item, path + step, seen | {id(value)})


def contents(value: Any) -> Iterator[Step]:
    """Yield what a container, a closure, a method, a partial or an object holds."""
    if isinstance(value, dict):
        for i, (key, item) in enumerate(value.items()):
            yield f"[{key!r}]" if isinstance(key, ATOMS) else f"[{i}]", item
    elif isinstance(value, (tuple, list, set, frozenset, deque)):
        yield from ((f"[{i}]", item) for i, item in enumerate(value))
    elif isinstance(value, FunctionType):
        for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
            yield from ((f".{name}", item) for item in in_cell(cell))
    elif isinstance(value, MethodType):
        yield from (("", value.__self__), ("", value.__func__))
    elif isinstance(value, BuiltinMethodType) and not isinstance(value.__self__, ModuleType):  # history.append
        yield "", value.__self__
    elif isinstance(value, functools.partial):
        yield from (("", value.func), (".args", value.args), (".keywords", value.keywords))
    else:
        slots = {name: getattr(value, name) for name in _slots(type(value)) if hasattr(value, name)}
        yield from ((f".{name}", item) for name, item in (slots | getattr(value, "__dict__", {})).items())


def in_cell(cell: CellType) -> list[Any]:
    """Return what a closure's cell holds, in a list; an empty list for a cell that is not filled yet."""
    try:
        return [cell.cell_contents]
    except ValueError:  # there is no other test
        return []


def _slots(cls: type) -> tuple[str, ...]:
    own = [vars(base) for base in cls.__mro__ if "__slots__" in vars(base)]
    return tuple(name for names in own for name in names if isinstance(names[name], MemberDescriptorType))
