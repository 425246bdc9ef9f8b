"""CallResult a callable once, forward and backward.

Relies on ``torch._C._autograd._get_sequence_nr`` and ``Node._sequence_nr``: autograd numbers its nodes as it makes
them, so what was computed before the call has lower numbers.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from torch.autograd.graph import GradientEdge, Node
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from compile_lessons.pipeline.contents import values_in

#: A place to differentiate at: a leaf by its ``id``, or an output of a node from before the call by their numbers.
Place = int | tuple[int, int]

USED_UP = "the outputs are not differentiated: a backward pass in the function used their graph"


@dataclass(frozen=True, kw_only=True)
class CallResult:
    """What a call returned, and the gradients at every place that it reached.

    ``gradients`` is ``None`` where a backward pass in the function used up the graph. ``skipped`` are places whose
    gradient would use up a graph from before the call.
    """

    result: Any
    gradients: dict[Place, torch.Tensor] | None
    skipped: frozenset[Place] = frozenset()
    #: By place, the shape of each leaf.
    shapes: dict[Place, tuple[int, ...]]


def forward_backward(
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    backward: bool | str,
    within: Callable[[], AbstractContextManager[Any]] = nullcontext,
) -> CallResult:
    """Call ``fn``, and differentiate its outputs with fixed tangents with respect to every leaf that they reach.

    ``backward``: ``"auto"`` differentiates if some output requires a gradient; ``True`` raises ``ValueError`` if none
    does. Nothing is added to any ``.grad``. The graphs that led to tensors from before the call are not used up: where
    such a tensor is reached, it is differentiated at, not what led to it. The call is made in the context ``within()``,
    as a training step does with autocast, and the backward pass is not.
    """
    start: int = torch._C._autograd._get_sequence_nr()
    with within():
        scale = loss_scale()
        result = fn(*args, **kwargs)
    outputs = [value for _, value in values_in(result, "") if isinstance(value, torch.Tensor)]
    required = [output for output in outputs if output.grad_fn is not None]
    if backward is True and not required:
        raise ValueError("backward=True, but no output requires a gradient")
    roots = [output for output in required if _is_new(output.grad_fn, start)]
    if backward is False or not roots:
        return CallResult(result=result, gradients={}, shapes={})
    return _differentiated(result, roots, start, scale)


def loss_scale() -> float:
    """Return the factor of gradients, 1 unless autocast uses float16: ``GradScaler`` begins with 65,536."""
    on_cpu, on_gpu = torch.is_autocast_enabled("cpu"), torch.is_autocast_enabled("cuda")
    dtypes = [torch.get_autocast_dtype(device) for device, on in (("cpu", on_cpu), ("cuda", on_gpu)) if on]
    return 65536.0 if torch.float16 in dtypes else 1.0


def _differentiated(result: Any, roots: list[torch.Tensor], start: int, scale: float) -> CallResult:
    # Where the call's own part of autograd's graph ends, and the nodes behind that.
    own = _edges((root.grad_fn for root in roots), lambda node: _is_new(node, start))
    ends = {_place(edge): edge for edge in own if not _is_new(edge.node, start)}
    behind = {edge.node for edge in _edges((edge.node for edge in ends.values()), lambda node: True)}
    edges = {place: edge for place, edge in ends.items() if edge.node not in behind}
    shapes = {place: tuple(edge.node.variable.shape) for place, edge in ends.items() if hasattr(edge.node, "variable")}
    gradients: dict[Place, torch.Tensor] | None = {}
    try:
        if edges:
            # float16 itself can't hold a scaled gradient.
            tangents = [tangent(root) * (1.0 if root.dtype is torch.float16 else scale) for root in roots]
            grads = torch.autograd.grad(roots, list(edges.values()), tangents, allow_unused=True)
            gradients = {place: grad for place, grad in zip(edges, grads, strict=True) if grad is not None}
    except RuntimeError as error:
        if "backward through the graph a second time" not in str(error):
            raise
        gradients = None
    return CallResult(result=result, gradients=gradients, skipped=frozenset(ends.keys() - edges.keys()), shapes=shapes)


def _edges(nodes: Iterable[Node | None], inside: Callable[[Node], bool]) -> Iterator[GradientEdge]:
    """Yield the edges out of ``nodes``, and out of all nodes ``inside`` that they lead to."""
    waiting, seen = list(nodes), set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        for following, number in node.next_functions:
            if following is not None:
                yield GradientEdge(following, number)
                if inside(following):
                    waiting.append(following)


def _is_new(node: Any, start: int) -> bool:
    return not hasattr(node, "variable") and node._sequence_nr() >= start


def _place(edge: GradientEdge) -> Place:
    variable = getattr(edge.node, "variable", None)
    return (edge.node._sequence_nr(), edge.output_nr) if variable is None else id(variable)


def place_of(tensor: torch.Tensor) -> Place:
    """Return where a tensor from before the call is differentiated at."""
    if tensor.grad_fn is None:
        return id(tensor)
    return tensor.grad_fn._sequence_nr(), tensor.output_nr


def tangent(output: torch.Tensor) -> torch.Tensor:
    """Return values that differ, so that no gradient cancels, that are not random, and that each dtype can hold."""
    if output.is_nested or output.layout is not torch.strided or is_traceable_wrapper_subclass(output):
        return torch.ones_like(output)
    steps = torch.arange(output.numel(), device=output.device, dtype=torch.float64)
    values = 0.5 + (steps * 0.618_033_988_749_895).frac()  # the golden ratio's fraction: neighbors differ much
    return ((values * 64).round() / 64).reshape(output.shape).to(output.dtype)
