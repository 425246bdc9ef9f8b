"""Run eager mode in float64, to see what its results would be without rounding."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

_WIDE = {
    torch.float32: torch.float64,
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.complex64: torch.complex128,
}


class InFloat64(TorchDispatchMode):
    """Computes each operation in float64: its floating-point arguments are converted, and the dtype it is asked for.

    Views stay views of what they were, random numbers are those of the operation itself, and what an operation changes
    in place keeps its dtype.
    """

    supports_higher_order_operators = True

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if not isinstance(func, torch._ops.OpOverload) or func.is_view or _draws(func):
            return func(*args, **kwargs)
        wide: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

        def widened(value: Any) -> Any:
            if isinstance(value, torch.dtype):
                return _WIDE.get(value, value)
            if not isinstance(value, torch.Tensor) or value.dtype not in _WIDE or value.layout is not torch.strided:
                return value
            if id(value) not in wide:
                wide[id(value)] = value, value.to(_WIDE[value.dtype])
            return wide[id(value)][1]

        result = func(*tree_map(widened, args), **tree_map(widened, kwargs))
        originals = {id(twin): value for value, twin in wide.values() if twin._version}
        for value, twin in wide.values():
            if twin._version:  # changed in place
                value.copy_(twin)
        return tree_map(lambda made: originals.get(id(made), made), result)


def _draws(func: Any) -> bool:
    return torch.Tag.nondeterministic_seeded in func.tags
