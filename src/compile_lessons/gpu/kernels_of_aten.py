"""Replace kernels that ATen has registered for its operators, for a while."""

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

#: An operator with its overload (``softmax.int``), a dispatch key, and the kernel.
Kernel = tuple[str, str, Callable[..., Any]]

#: Operators and keys that have a kernel from here. A second kernel could not call the one that was there before:
#: under a dispatch mode torch looks a Python kernel up by operator and key, so it would call itself.
_replaced: set[tuple[str, str]] = set()


@contextmanager
def registered(kernels: Iterable[Kernel]) -> Iterator[None]:
    """Within it, ATen calls these kernels; after it, also after an exception, those that it called before.

    An operator that already has a kernel from here, because this is nested, keeps it. Dynamo leaves the kernels alone.
    """
    library = torch.library.Library("aten", "IMPL")
    added = set[tuple[str, str]]()
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=r"\s*Warning only once for all operators")
            for name, key, kernel in kernels:
                if (name, key) in _replaced:
                    continue
                added.add((name, key))
                _replaced.add((name, key))
                passes_on = kernel is torch.library.fallthrough_kernel
                library.impl(name, kernel if passes_on else torch.compiler.disable(kernel), key, allow_override=True)
        yield
    finally:
        library._destroy()
        _replaced.difference_update(added)
