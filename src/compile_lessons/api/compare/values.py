"""What a call finds, and what a run of it leaves, as plain data that another process can be sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

import numpy
import torch
from torch.utils._pytree import tree_structure

from compile_lessons.api.compare.memory import Storages
from compile_lessons.api.compare.reach import LIMIT, arguments, differences, look, walk
from compile_lessons.facts import ValueKind
from compile_lessons.ground.arguments import Arguments
from compile_lessons.ground.words import ADDRESS
from compile_lessons.pipeline.contents import ATOMS, contents, values_in
from compile_lessons.pipeline.forward_backward import USED_UP, CallResult, Place, place_of

#: By dtype, how far an element may be off, relative to itself plus to the typical element of its tensor: the order of
#: additions is free, so errors go with the size of what was added. In 16 bits Inductor rounds less often than eager;
#: these are 10 and 20 units in the last place.
TOLERANCES = {torch.float64: 1e-7, torch.float32: 1e-4, torch.float16: 2e-2, torch.bfloat16: 8e-2}

_NONE = torch.empty(0)

#: The class of a tensor; and of one that a collective has not filled yet, which compiled code waits for.
_TENSORS = ("Tensor", "AsyncCollectiveTensor")

#: The last step of a path.
_LAST_STEP = re.compile(r"(?:\.[^.\[]+|\[[^\[]*\])$")

#: Kind (``output``, ``gradient``, ``input`` or ``state``) and path of a value.
Key = tuple[ValueKind, str]


@dataclass(frozen=True, kw_only=True, eq=False)
class Value:
    """One value: what has to be the same exactly, and its numbers in one row, where a complex number is two.

    ``form`` is what a tensor is beside its numbers: whether it requires a gradient, and of an output its strides and
    whose memory it has. ``tolerance`` says how far the numbers may be off. Nothing tells two ``opaque`` objects apart:
    generators, coroutines, ``object()``.
    """

    description: str
    form: tuple[str, ...] = ()
    numbers: torch.Tensor = _NONE
    tolerance: float = 0.0
    opaque: bool = False

    def is_same(self, other: Value) -> bool:
        """Return whether both values are alike to the last digit."""
        alike = (self.description, self.form) == (other.description, other.form)
        return alike and same_numbers(self.numbers, other.numbers)


#: What is no longer there.
_GONE = Value(description="removed")


def same_numbers(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Return whether two tensors of one shape hold the same numbers; NaN is like NaN."""
    return bool(((left == right) | (left.isnan() & right.isnan())).all())


def value_of(value: Any) -> Value:
    """Return one value as plain data."""
    if isinstance(value, (torch.Tensor, numpy.ndarray)):
        return _array(value)
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    if isinstance(value, (float, complex, numpy.inexact)):
        wide = torch.complex128 if isinstance(value, (complex, numpy.complexfloating)) else torch.float64
        # It may be an item of a float32 tensor.
        numbers = _row([torch.tensor([value], dtype=wide)])
        return Value(description=kind, numbers=numbers, tolerance=TOLERANCES[torch.float32])
    if isinstance(value, (FunctionType, type)):  # one that is made in the function is another object at each call
        return Value(description=f"{value.__module__}.{value.__qualname__}")
    if isinstance(value, (set, frozenset)):
        plain = all(isinstance(item, (*ATOMS, tuple)) for item in value)
        return Value(description=f"{kind} {sorted(map(repr, value))}" if plain else kind, opaque=not plain)
    if hasattr(value, "__next__"):  # a generator may come out of compiled code as an iterator of another type
        return Value(description="iterator", opaque=True)
    try:
        text = repr(value)
    except Exception:  # of any type: it is the user's method
        return Value(description=kind, opaque=True)
    if ADDRESS.search(text):
        return Value(description=kind, opaque=True)
    return Value(description=f"{kind} {text}")


def _array(value: torch.Tensor | numpy.ndarray[Any, Any]) -> Value:
    form: tuple[str, ...] = ()
    if isinstance(value, numpy.ndarray):
        description = f"array {value.dtype} {value.shape}"
        if value.dtype.kind not in "biufc" or value.dtype.itemsize > 16:
            return Value(description=f"{description} {value.tolist()}")
        parts = [torch.from_numpy(numpy.ascontiguousarray(value))]
    else:
        parts = [part.resolve_conj().resolve_neg() for part in _dense(value.detach())]
        shapes = [tuple(part.shape) for part in parts] or tuple(value.shape)
        cls = type(value)
        kind = "tensor" if cls.__name__ in _TENSORS else f"{cls.__module__}.{cls.__qualname__}"
        description = f"{kind} {value.dtype} {shapes} {value.device} {value.layout}"
        form = (f"requires_grad={value.requires_grad}",)
    if not parts:
        return Value(description=description, form=form)
    dtype = parts[0].dtype.to_real()
    tolerance = TOLERANCES.get(dtype, 1e-1) if dtype.is_floating_point else 0.0
    return Value(description=description, form=form, numbers=_row(parts), tolerance=tolerance)


def _dense(tensor: torch.Tensor) -> list[torch.Tensor]:
    """The numbers of a tensor as dense tensors: one, those of a nested tensor, none on ``meta``."""
    if tensor.is_meta:
        return []
    if tensor.is_nested:
        return list(tensor.unbind())
    if tensor.is_quantized:
        return [tensor.dequantize()]
    return [tensor if tensor.layout is torch.strided else tensor.to_dense()]


def _row(parts: list[torch.Tensor]) -> torch.Tensor:
    rows = [(torch.view_as_real(part) if part.is_complex() else part).reshape(-1) for part in parts]
    return (torch.cat(rows) if len(rows) > 1 else rows[0].clone()).cpu()


class Snapshot:
    """The tensors and arrays that calls can reach, before the first: their names, numbers and places in autograd."""

    def __init__(self, fn: Callable[..., Any], calls: Sequence[Arguments]) -> None:
        #: The callable and the arguments, by name.
        self.roots: dict[str, Any] = {}
        for i, (args, kwargs) in enumerate(calls):
            of_call = f" of call {i}" if len(calls) > 1 else ""
            self.roots |= {f"{name}{of_call}": value for name, value in arguments(fn, args, kwargs).items()}
        self.roots[""] = fn
        #: The paths of what stands in the arguments themselves.
        self._given = set(walk(self.roots, lambda value: () if value is fn else contents(value)).objects)
        reached = look(self.roots)
        objects, self._plain = reached.objects, reached.plain
        #: Whether these are all objects that a call can reach.
        self.complete = reached.complete
        tensors = {path: value for path, value in objects.items() if isinstance(value, torch.Tensor)}
        self.names: dict[Place, str] = {place_of(value): path for path, value in tensors.items() if value.requires_grad}
        #: The tensors and arrays themselves, by path.
        self.numbers = _with_numbers(objects)
        self._values = {path: value_of(value) for path, value in self.numbers.items()}

    def begin(self) -> None:
        """Note the plain values as they are now: in a program without ``torch.compile``, other objects are reached."""
        self._plain = look(self.roots).plain

    def changed(self) -> dict[Key, Value]:
        """Return what is new or not as it was: tensors, arrays, plain values; those in the arguments as ``input``."""
        changed: dict[Key, Value] = {}
        reached = look(self.roots)
        for path in differences(self._plain, reached.plain):
            now = value_of(reached.plain[path]) if path in reached.plain else _GONE
            changed["input" if _LAST_STEP.sub("", path) in self._given else "state", path] = now
        for path, tensor in _with_numbers(reached.objects).items():
            value = value_of(tensor)
            if path not in self._values or not value.is_same(self._values[path]):
                changed["input" if path.removesuffix(".grad") in self._given else "state", path] = value
        self.complete = reached.complete
        return changed


def _with_numbers(objects: dict[str, Any]) -> dict[str, Any]:
    """The tensors and arrays, but for the parameters of a lazy module, which have no numbers before its first call."""
    kinds = torch.Tensor, numpy.ndarray
    lazy = torch.nn.UninitializedParameter, torch.nn.UninitializedBuffer
    return {path: it for path, it in objects.items() if isinstance(it, kinds) and not isinstance(it, lazy)}


@dataclass(frozen=True, kw_only=True)
class Values:
    """All values of a run. ``random``: it drew numbers from torch's generator. ``notes`` say what is left out."""

    values: dict[Key, Value]
    #: The containers of the output.
    structure: Value
    notes: tuple[str, ...]
    random: bool = False
    #: Whether the outputs could be differentiated.
    differentiated: bool


def values_of(done: CallResult, before: Snapshot) -> Values:
    """Return what a run left: outputs, gradients, and what it changed in all that it can reach."""
    values: dict[Key, Value] = {}
    notes = [USED_UP] if done.gradients is None else []
    memory = Storages(before.numbers)
    for path, leaf in values_in(done.result, "output"):
        form, left_out = memory.form(path, leaf)
        value = value_of(leaf)
        values["output", path] = replace(value, form=(*value.form, *form))
        notes += left_out
    for place, gradient in (done.gradients or {}).items():
        if place in before.names:
            values["gradient", before.names[place]] = value_of(gradient)
        else:
            shape = done.shapes.get(place, "?")
            notes.append(f"no name reaches a tensor of shape {shape}: its gradient is not compared")
    for place in done.skipped:
        name = before.names.get(place, "a tensor")
        notes.append(f"{name} led to an earlier result that is used: its gradient is not compared")
    changed = before.changed()
    if not before.complete:
        notes.append(f"the call can reach more than {LIMIT:,} objects: changes of the others are not compared")
    return Values(
        values=values | changed,
        structure=Value(description=ADDRESS.sub("", str(tree_structure(done.result)))),
        notes=tuple(notes),
        differentiated=done.gradients is not None,
    )
