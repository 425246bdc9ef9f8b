"""What a run left, as plain data that another process can be sent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy
import torch
from torch.utils._pytree import tree_structure

from compile_lessons.compare.reach import Before, dense
from compile_lessons.pipeline.leaves import ATOMS, leaves
from compile_lessons.pipeline.model import ValueKind
from compile_lessons.pipeline.running import USED_UP, Run

#: Where an object is, as in ``<function f at 0x7f3c5a2b1d80>``.
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")

#: Kind (``output``, ``gradient``, ``input`` or ``state``) and path of a value.
Key = tuple[ValueKind, str]


@dataclass(frozen=True, kw_only=True)
class Value:
    """One value: what has to be the same exactly, and its numbers in one row.

    ``numbers`` are ``None`` where all of the value is in ``description``; a complex number is two. ``dtype`` says how
    far they may be off; where it is ``None`` they have to be the same too. Nothing tells two ``opaque`` objects apart:
    generators, coroutines, ``object()``.
    """

    description: str
    numbers: torch.Tensor | None = None
    dtype: torch.dtype | None = None
    opaque: bool = False


@dataclass(frozen=True, kw_only=True)
class Values:
    """All values of a run. ``random``: it drew numbers from torch's generator. ``notes`` say what is left out."""

    values: dict[Key, Value]
    #: The containers of the output.
    structure: str
    notes: tuple[str, ...]
    random: bool
    #: Whether the outputs could be differentiated.
    differentiated: bool


def values_of(done: Run, before: Before) -> Values:
    """Return what a run left: outputs, gradients, and what it changed in all that it can reach."""
    named: dict[Key, Value] = {("output", path): value_of(leaf) for path, leaf in leaves(done.result, "output")}
    notes = [USED_UP] if done.gradients is None else []
    for place, gradient in (done.gradients or {}).items():
        if place in before.names:
            named["gradient", before.names[place]] = value_of(gradient)
        else:
            notes.append(
                f"no name reaches a tensor of shape {done.shapes.get(place, '?')}: its gradient is not compared"
            )
    for place in done.skipped:
        name = before.names.get(place, "a tensor")
        notes.append(f"{name} led to an earlier result that is used: its gradient is not compared")
    inputs, state = before.changed()
    named |= {("input", path): value_of(value) for path, value in inputs.items()}
    named |= {("state", path): value_of(value) for path, value in state.items()}
    return Values(
        values=named,
        structure=_ADDRESS.sub("", str(tree_structure(done.result))),
        notes=tuple(notes),
        random=False,
        differentiated=done.gradients is not None,
    )


def value_of(value: Any) -> Value:
    """Return one value as plain data."""
    if isinstance(value, (torch.Tensor, numpy.ndarray)):
        return _array(value)
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    if isinstance(value, (float, complex, numpy.inexact)):
        wide = torch.complex128 if isinstance(value, (complex, numpy.complexfloating)) else torch.float64
        # It may be an item of a float32 tensor.
        return Value(description=kind, numbers=_row([torch.tensor([value], dtype=wide)]), dtype=torch.float32)
    if isinstance(value, (FunctionType, type)):  # one that is made in the function is another object at each call
        return Value(description=f"{value.__module__}.{value.__qualname__}")
    if isinstance(value, (set, frozenset)):
        plain = all(isinstance(item, (*ATOMS, tuple)) for item in value)
        return Value(description=f"{kind} {sorted(map(repr, value))}" if plain else kind, opaque=not plain)
    if isinstance(value, ATOMS) or _compares(type(value)):
        return _described(kind, value)
    # A generator may come out of compiled code as an iterator of another type.
    return Value(description="iterator" if hasattr(value, "__next__") else kind, opaque=True)


def _compares(cls: type) -> bool:
    """Whether objects of a class are compared by more than which object they are."""
    return any("__eq__" in vars(base) for base in cls.__mro__[:-1])


def _described(kind: str, value: Any) -> Value:
    """An object by its ``repr``, unless that is only its address."""
    try:
        text = repr(value)
    except Exception:  # of any type: it is the user's method
        return Value(description=kind, opaque=True)
    return Value(description=f"{kind} {text}", opaque=bool(_ADDRESS.search(text)))


def _array(value: torch.Tensor | numpy.ndarray[Any, Any]) -> Value:
    if isinstance(value, numpy.ndarray):
        description = f"array {value.dtype} {value.shape}"
        if value.dtype.kind not in "biufc" or value.dtype.itemsize > 16:
            return Value(description=f"{description} {value.tolist()}")
        parts = dense(value)
    else:
        parts = [part.resolve_conj().resolve_neg() for part in dense(value)]
        shapes = [tuple(part.shape) for part in parts] or tuple(value.shape)
        description = f"tensor {value.dtype} {shapes} {value.device} {value.layout}"
    if not parts:
        return Value(description=description)
    return Value(
        description=description, numbers=_row(parts), dtype=parts[0].dtype.to_real() if _is_inexact(parts[0]) else None
    )


def _is_inexact(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


def _row(parts: list[torch.Tensor]) -> torch.Tensor:
    rows = [(torch.view_as_real(part) if part.is_complex() else part).reshape(-1) for part in parts]
    return (torch.cat(rows) if len(rows) > 1 else rows[0].clone()).cpu()
