"""Replace kernels that ATen has registered for its operators, for a while."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

#: An operator with its overload (``softmax.int``), a dispatch key, and the kernel.
Kernel = tuple[str, str, Callable[..., Any]]


@contextmanager
def registered(kernels: Iterable[Kernel]) -> Iterator[None]:
    """Within it, ATen calls these kernels; after it, also after an exception, those that it called before.

    Dynamo leaves the kernels alone.
    """
    library = torch.library.Library("aten", "IMPL")
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=r"\s*Warning only once for all operators")
            for name, key, kernel in kernels:
                passes_on = kernel is torch.library.fallthrough_kernel
                library.impl(name, kernel if passes_on else torch.compiler.disable(kernel), key, allow_override=True)
        yield
    finally:
        library._destroy()
