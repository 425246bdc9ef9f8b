"""Where the outputs of a call are in memory: which of them are inputs, or views of inputs or of each other."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy
import torch
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

#: Elements of a storage up to which two tensors are compared element by element, and not only by their ends.
_EXACT = 1 << 22
#: Names of tensors that are listed.
_NAMED = 3


class Storages:
    """The memory of what calls can reach, by name, and of the outputs so far."""

    def __init__(self, tensors: Mapping[str, Any]) -> None:
        self._in: dict[int, list[tuple[str, torch.Tensor]]] = defaultdict(list)
        for name, tensor in tensors.items():
            self._add(name, tensor)

    def _add(self, name: str, value: Any) -> None:
        if address := _address(value):
            self._in[address].append((name, value))

    def form(self, name: str, output: Any) -> tuple[tuple[str, ...], list[str]]:
        """Return the strides of an output and whose memory it has, in words. Return also what can't be told."""
        if isinstance(output, numpy.ndarray):
            return (), ["whether arrays share memory is not compared"]
        if not isinstance(output, torch.Tensor):
            return (), []
        if output.layout is not torch.strided or output.is_nested or is_traceable_wrapper_subclass(output):
            return (), [f"strides and memory of {name} are not compared"]
        return (_strides(output), self._whose(name, output)), []

    def _whose(self, name: str, output: torch.Tensor) -> str:
        here = self._in[_address(output)]
        same = [other for other, tensor in here if tensor is output]
        if same:
            return f"the object {same[0]}"
        views = [other for other, tensor in here if overlap(tensor, output)]
        self._add(name, output)
        more = f" and {len(views) - _NAMED} more" if len(views) > _NAMED else ""
        return f"in the memory of {', '.join(views[:_NAMED])}{more}" if views else "in memory of its own"


def _strides(tensor: torch.Tensor) -> str:
    """Return the strides of the dimensions that have a second element."""
    steps = zip(tensor.shape, tensor.stride(), strict=True)
    return f"strides ({', '.join(str(step) if size > 1 else '-' for size, step in steps)})" if tensor.numel() else ""


def _address(value: Any) -> int:
    """Return where the storage of a tensor is; 0 for what has none."""
    if not isinstance(value, torch.Tensor) or value.layout is not torch.strided or value.is_nested or value.is_meta:
        return 0
    return 0 if is_traceable_wrapper_subclass(value) else value.untyped_storage().data_ptr()


def overlap(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Return whether two tensors of one storage have an element in common."""
    (first, last), (begin, end) = _ends(left), _ends(right)
    if last <= begin or end <= first:
        return False
    number = left.untyped_storage().nbytes() // left.element_size()
    if left.element_size() != right.element_size() or number > _EXACT:
        return True
    places = torch.arange(number)
    marked = torch.zeros(number, dtype=torch.bool)
    marked[_in(places, left)] = True
    return bool(marked[_in(places, right)].any())


def _in(places: torch.Tensor, tensor: torch.Tensor) -> torch.Tensor:
    return places.as_strided(tensor.size(), tensor.stride(), tensor.storage_offset()).reshape(-1)


def _ends(tensor: torch.Tensor) -> tuple[int, int]:
    """Return the first byte of a tensor in its storage, and the first one after it."""
    if not tensor.numel():
        return 0, 0
    first = int(tensor.storage_offset())
    last = first + sum(int((size - 1) * step) for size, step in zip(tensor.shape, tensor.stride(), strict=True))
    return first * tensor.element_size(), (last + 1) * tensor.element_size()
