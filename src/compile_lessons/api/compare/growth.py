"""Find the operation in whose result roundings grow most, and its line.

Eager mode runs twice under ``OperationsWatch``, the second time with other roundings. Both runs make the same
operations, so each operation's result can be compared with its inputs: where a sum cancels, the result is further off
than they are.

Relies on ``torch._C._autograd._get_sequence_nr`` and ``torch._C._current_autograd_node``: the node that autograd runs
in a backward pass has the number that it was given where the function called its operation.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from compile_lessons.api.compare.rounding import UNITS
from compile_lessons.facts import Location
from compile_lessons.facts.source import location
from compile_lessons.pipeline.forward_backward import forward_backward
from compile_lessons.pipeline.locations import is_outside_torch

_PACKAGE = str(Path(__file__).parents[2]) + os.sep
#: Elements of a tensor that are looked at.
_SAMPLE = 256
#: An operation is worth naming if its result is this many times further off than its inputs.
_LEAST_GROWTH = 10.0


@dataclass(frozen=True)
class Numbers:
    """Some numbers of a tensor, and how far a rounding moves one."""

    sample: torch.Tensor
    unit: float

    def distance(self, other: Numbers) -> float:
        """Return how far the other run's numbers are off, relative to the size of these; at least a rounding."""
        if self.sample.shape != other.sample.shape or not self.sample.numel():
            return self.unit
        size, off = self.sample.norm().item(), (self.sample - other.sample).norm().item()
        return max(self.unit, off / size if size else float(off > 0))


@dataclass(frozen=True)
class Operation:
    """An operation that a run made, in order: its name, its line if it is known, and its numbers."""

    name: str
    place: Location | None
    inputs: tuple[Numbers, ...]
    outputs: tuple[Numbers, ...]
    backward: bool = False


class OperationsWatch(TorchDispatchMode):
    """Keeps the operations that are made within it."""

    supports_higher_order_operators = True

    def __init__(self) -> None:
        super().__init__()
        self.operations: list[Operation] = []
        self._lines: dict[int, Location] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        inputs, (is_of_call, place) = _numbers((args, kwargs)), self.place()
        result = func(*args, **kwargs)
        if is_of_call:
            name = str(func).removeprefix("aten.").partition(".")[0]
            backward = torch._C._current_autograd_node() is not None
            self.operations.append(Operation(name, place, inputs, _numbers(result), backward))
        return result

    def place(self) -> tuple[bool, Location | None]:
        """Return whether the call makes the operation, not this package before or after it, and the user's line.

        In a backward pass the line is that of the operation whose gradient is computed.
        """
        node = torch._C._current_autograd_node()
        if node is not None:
            return True, self._lines.get(node._sequence_nr())
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and not frame.f_code.co_filename.startswith(_PACKAGE):
            if is_outside_torch(frame.f_code.co_filename):
                place = location(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
                # The latest node is of this operation, or of an earlier one whose line is known.
                self._lines.setdefault(torch._C._autograd._get_sequence_nr() - 1, place)
                return True, place
            frame = frame.f_back
        return frame is not None and frame.f_code is forward_backward.__code__, None


def _numbers(values: Any) -> tuple[Numbers, ...]:
    tensors = [it for it in tree_leaves(values) if isinstance(it, torch.Tensor) and it.layout is torch.strided]
    return tuple(_sampled(it) for it in tensors if not it.is_meta)


def _sampled(tensor: torch.Tensor) -> Numbers:
    flat = tensor.detach().resolve_conj().resolve_neg().reshape(-1)
    step = max(1, flat.numel() // _SAMPLE)
    sample = flat[::step][:_SAMPLE]
    real = torch.view_as_real(sample.contiguous()) if sample.is_complex() else sample
    return Numbers(real.double().cpu().nan_to_num(), UNITS.get(real.dtype, min(UNITS.values())))


def grows_in(usual: list[Operation], rounded: list[Operation]) -> str:
    """Return where roundings grow most: ``sum at train.py:12``. Return nothing if they grow nowhere."""
    worst, name = _LEAST_GROWTH, ""
    for one, other in zip(usual, rounded, strict=False):
        if one.name != other.name:
            break  # rounding decided which way the function goes
        before = max(map(Numbers.distance, one.inputs, other.inputs), default=min(UNITS.values()))
        after = max(map(Numbers.distance, one.outputs, other.outputs), default=0.0)
        if after > worst * before:
            worst, name = after / before, _named(one)
    return name


def _named(operation: Operation) -> str:
    place = operation.place
    return f"{operation.name} at {os.path.basename(place.file)}:{place.line}" if place else operation.name
