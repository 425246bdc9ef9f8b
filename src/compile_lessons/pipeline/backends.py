"""What ``torch.compile`` calls with Dynamo's graphs, by how far a capture goes."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

Compiled = Callable[..., Any]
Backend = Callable[..., Compiled]


def inductor(module: torch.fx.GraphModule, inputs: list[Any], **kwargs: Any) -> Compiled:
    """Compile as ``torch.compile(backend="inductor")`` does; ``dynamic`` reached Dynamo already."""
    compiled: Compiled = _wrapper(kwargs)(module, inputs)
    return compiled


def eager(module: torch.fx.GraphModule, inputs: list[Any], **kwargs: Any) -> Compiled:
    """Run Dynamo's graph as it is."""
    return forward_of(module)


def forward_of(module: torch.fx.GraphModule) -> Compiled:
    """Return what runs a graph. Its code is written now, as torch prints a traceback where the first call writes it."""
    _ = module.code
    return module.forward


def lookup(name: str) -> Backend:
    """Return a backend of torch's. Options are for Inductor alone."""
    if name == "inductor":
        return inductor
    backend = torch._dynamo.lookup_backend(name)
    return lambda module, inputs, **kwargs: backend(module, inputs)


def as_aten(inner: Callable[..., Any]) -> Backend:
    """Return a backend that runs the ATen graphs as they are.

    ``inner(as_it_is, graph, inputs, **kwargs)`` is called for each ATen graph where Inductor would begin, and returns
    what ``as_it_is(graph, inputs)`` returns for it: what runs.
    """

    from torch._inductor.compile_fx import compile_fx  # here, as it takes a second, and Dynamo alone needs none of it

    def backend(module: torch.fx.GraphModule, inputs: list[Any], **kwargs: Any) -> Compiled:
        inner_compile = partial(inner, _as_it_is)
        compiled: Any = compile_fx(module, inputs, inner_compile=inner_compile, config_patches=options(kwargs))
        return compiled  # only with AOTInductor's settings it is no callable

    return backend


def _as_it_is(graph: torch.fx.GraphModule, inputs: Any, **kwargs: Any) -> Any:
    from torch._functorch._aot_autograd.utils import make_boxed_func  # here, as above

    return make_boxed_func(forward_of(graph))


def options(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return Inductor's settings for the ``mode`` and the ``options`` that ``torch.compile`` was given."""
    settings: dict[str, Any] = _wrapper(kwargs).config
    return settings


def _wrapper(kwargs: dict[str, Any]) -> Any:
    return torch._TorchCompileInductorWrapper(kwargs.get("mode"), kwargs.get("options"), kwargs.get("dynamic"))
