"""Run eager mode with other roundings, to see how far they move its results.

Relies on ``select_decomp_table`` (``torch/_inductor/decomposition.py``): Inductor rounds at each step of a
decomposition, where eager mode may round once.
"""

from collections.abc import Iterable
from typing import Any

import numpy
import torch
from torch._inductor.decomposition import select_decomp_table
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

#: By dtype, how far a number is moved at most, relative to itself. This is far more than one rounding, so that it shows
#: in every result that depends on rounding, whatever the luck of a single run.
UNITS = {torch.float64: 1e-8, torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 8e-3}


class Rounding(TorchDispatchMode):
    """Moves numbers at random: those given to ``move``, and within it the result of each operation and of each step of
    a decomposition. Views are left alone, and random numbers are the same as without it.
    """

    supports_higher_order_operators = True

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._generator = torch.Generator().manual_seed(seed)
        self._decompositions = select_decomp_table()

    def move(self, values: Iterable[Any]) -> None:
        """Move each number in tensors and arrays, in place."""
        seen: set[int] = set()
        for value in values:
            tensor = torch.from_numpy(value) if _is_writable(value) else value
            if _is_dense(tensor) and tensor.untyped_storage().data_ptr() not in seen:
                seen.add(tensor.untyped_storage().data_ptr())
                self._move(tensor)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        # A decomposition would draw other random numbers than the operation.
        if func in self._decompositions and torch.Tag.nondeterministic_seeded not in func.tags:
            with self:
                result = self._decompositions[func](*args, **kwargs)
            if result is not NotImplemented:
                return result
        result = func(*args, **kwargs)
        given = {tensor.untyped_storage().data_ptr() for tensor in tree_leaves((args, kwargs)) if _is_dense(tensor)}
        for tensor in tree_leaves(result):
            if _is_dense(tensor) and tensor.untyped_storage().data_ptr() not in given:
                self._move(tensor)
        return result

    def _move(self, tensor: torch.Tensor) -> None:
        dtype = tensor.dtype.to_real()
        if dtype in UNITS:
            # The storage, not the tensor: views share it, and autograd need not know.
            flat = torch.empty(0, dtype=dtype, device=tensor.device).set_(tensor.untyped_storage())
            sign = torch.rand(flat.shape, generator=self._generator, dtype=torch.float64) * 2 - 1
            flat.mul_((1 + UNITS[dtype] * sign).to(flat.device))


def _is_dense(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and not value.is_meta and value.layout is torch.strided


def _is_writable(value: Any) -> bool:
    return isinstance(value, numpy.ndarray) and value.flags.writeable and value.dtype.kind in "fc"
