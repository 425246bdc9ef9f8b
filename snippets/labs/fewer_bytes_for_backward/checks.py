"""Bytes kept and matrix multiplications computed again, compared with the original, and the same gradients."""

import torch
import torch._functorch.config
from torch.nn import functional

from compile_lessons.labs import Work, Wrong, require

torch.set_num_threads(1)  # so that other programs on this machine disturb less


def _original(model, x):
    """Return what the original computes with this model's weights."""
    for layer in model.layers:
        y = functional.layer_norm(x, x.shape[-1:], layer.norm.weight, layer.norm.bias)
        x = x + (functional.silu(y @ layer.gate.weight.T) * (y @ layer.up.weight.T)) @ layer.down.weight.T
    return x


def _measure(work, fn):
    """Return the bytes that the forward graph keeps, and the matrix multiplications in the backward graph."""
    pipeline = work.capture(fn, until="aot")(torch.randn(512, 16, requires_grad=True))
    if pipeline.breaks:
        raise Wrong(
            f"The graph breaks: {pipeline.breaks[0].gb_type}. The partitioner looks at one graph at a time, and code "
            "that runs in eager mode keeps what eager mode keeps.",
            "dynamo/fixing-breaks",
        )
    kept = sum(graph.saved_bytes for graph in pipeline.graphs)
    backward = [graph.backward for graph in pipeline.graphs]
    require(all(backward), "There is no backward graph: the result needs no gradient.")
    products = sum(".mm." in node.target or ".addmm." in node.target for graph in backward for node in graph.calls)
    return kept, products


def check_the_gradients(work: Work):
    """The compiled model's result and gradients match the original's."""
    model, x = work.Model(), torch.randn(8, 16, requires_grad=True)
    y, expected = torch.compile(model, backend="aot_eager")(x), _original(model, x)
    work.same(y, expected, "The result of `Model`")
    values = {"x": x, **dict(model.named_parameters())}
    require(y.requires_grad, "The result of `Model` needs no gradient: something detaches it.")
    upstream = torch.randn_like(y)
    actual, wanted = (
        torch.autograd.grad(result, list(values.values()), upstream, allow_unused=True) for result in (y, expected)
    )
    for name, one, other in zip(values, actual, wanted, strict=True):
        if one is None or not torch.allclose(one, other, rtol=1e-3, atol=1e-4):
            raise Wrong(
                f"The result is right, but the gradient of `{name}` isn't: "
                f"{'there is none' if one is None else f'it is off by up to {(one - other).abs().max().item():.2g}'}. "
                "Keep fewer bytes without leaving anything out of the backward pass.",
                "aot/joint-graph",
            )


def check_the_bytes(work: Work):
    """The compiled forward pass keeps at most a quarter of the bytes, with few extra matrix multiplications."""
    model = work.Model()
    kept, products = _measure(work, model)
    with torch._functorch.config.patch(activation_memory_budget=1.0):
        before, products_before = _measure(work, lambda x: _original(model, x))
    require(
        kept <= before / 4,
        f"The forward pass keeps {kept / before:.0%} of the bytes that the original keeps. The largest tensors are the "
        "results of `gate`, `up` and the product of both, in each layer. What are they computed from?",
    )
    require(
        products <= products_before + 6,
        f"The forward pass keeps {kept / before:.0%} of the bytes, but the backward graph has {products} matrix "
        f"multiplications, {products - products_before} more than the original's. Two per layer are enough: the result "
        "of a layer is small, so keep it, and recompute what is inside the layer.",
    )
