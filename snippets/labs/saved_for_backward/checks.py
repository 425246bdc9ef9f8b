"""Bytes kept for the backward pass: what autograd keeps in eager mode, and what the compiled forward graph returns."""

import torch
from torch.nn import functional

from compile_lessons.labs import Work, Wrong, require

torch.set_num_threads(1)  # so that other programs on this machine disturb less

#: What to think about for each function: in eager mode, and compiled.
_THINK = {
    "scaled": ("Does the derivative of 3 * x + 1 depend on x?",) * 2,
    "rectified": (
        "Autograd keeps what the formula of relu's derivative uses, which is one tensor.",
        "The derivative is 0 or 1. How many bytes does a bool take, and how many a float32?",
    ),
    "bumps": (
        "Each of the four rounds has three operators. `cos` and `sin` keep the same input, and `*` keeps both "
        "of its inputs.",
        "Which of these tensors can cheap operators recompute, and from what?",
    ),
    "dropped": (
        "Eager mode on a CPU multiplies by a tensor of random numbers, in the dtype of x. The backward "
        "pass needs that tensor again.",
        "The same random numbers aren't drawn twice, so the forward pass stores which elements were dropped. In which "
        "dtype?",
    ),
    "hidden": (
        "The matmul needs x for the gradient of w, and w for the gradient of x. What does gelu need?",
        "gelu can be recomputed, but from what? Is a matmul on the list of cheap operators?",
    ),
    "hidden_relu": (
        "The matmul needs x and w, and relu needs one more tensor.",
        "The matmul needs x and w. What is the least that the derivative of relu needs?",
    ),
}


def _inputs(size=64):
    return tuple(torch.randn(size, size, requires_grad=True) for _ in range(2))


def _eager(fn, *inputs):
    """Return the bytes of the memory that autograd keeps, each piece once."""
    kept = {}

    def keep(tensor):
        kept[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        result = fn(*inputs)
    require(isinstance(result, torch.Tensor), f"`{fn.__name__}` has to return a tensor.")
    return sum(kept.values())


def _compiled(work, fn, *inputs):
    """Return the one graph of a compile."""
    pipeline = work.capture(fn, until="aot")(*inputs)
    require(
        len(pipeline.graphs) == 1 and not pipeline.breaks,
        f"`{fn.__name__}` has a graph break, and each piece keeps its own tensors.",
        "dynamo/fixing-breaks",
    )
    require(pipeline.graphs[0].backward, f"`{fn.__name__}` has no backward graph: its result needs no gradient.")
    return pipeline.graphs[0]


def _compare(predictions, which, kind, measure):
    """Raise ``Wrong`` for the first prediction that isn't what ``measure`` returns for the function of that name."""
    for name, think in _THINK.items():
        require(name in predictions, f"{which} has no entry for `{name}`.")
        predicted, units = predictions[name], measure(name)
        require(isinstance(predicted, int | float), f'{which}["{name}"] has to be a number.')
        if abs(predicted - units) > 0.01:
            raise Wrong(
                f"`{name}`, {kind}: it keeps {'less' if predicted > units else 'more'} than {predicted:g} times the "
                f"bytes of x. {think[which == 'COMPILED']}"
            )


def check_eager(work: Work):
    """EAGER has the right number of bytes for eager mode."""
    x, w = _inputs()
    _compare(work.EAGER, "EAGER", "in eager mode", lambda name: _eager(getattr(work, name), x, w) / x.nbytes)


def check_compiled(work: Work):
    """COMPILED has the right number of bytes for the compiled forward pass."""
    x, w = _inputs()
    _compare(
        work.COMPILED,
        "COMPILED",
        "compiled",
        lambda name: _compiled(work, getattr(work, name), x, w).saved_bytes / x.nbytes,
    )


def _check_written(work, fn, reference, inputs, most):
    """Check the result, the gradient and the bytes of a function, and return the gradients of its inputs."""
    graph, name = _compiled(work, fn, *inputs), fn.__name__
    actual, expected = fn(*inputs), reference(*inputs)
    work.same(actual, expected, f"The result of `{name}`")
    upstream = torch.randn_like(expected)
    compiled = torch.compile(fn, backend="aot_eager")(*inputs)
    gradients = [torch.autograd.grad(y, inputs, upstream, allow_unused=True) for y in (compiled, expected)]
    work.same(gradients[0][0], gradients[1][0], f"The gradient of x through `{name}`")
    if graph.saved_bytes > most * inputs[0].nbytes:
        saved = ", ".join(f"{saved.name} ({saved.bytes / inputs[0].nbytes:g})" for saved in graph.saved)
        raise Wrong(
            f"Compiled, `{name}` keeps {graph.saved_bytes / inputs[0].nbytes:g} times the bytes of x: {saved}. Which "
            "of these does the gradient of x really need?"
        )
    return gradients[0]


def check_leaky(work: Work):
    """Compiled, `leaky` keeps at most a quarter of the bytes of x."""
    x, _ = _inputs()
    _check_written(work, work.leaky, lambda x: x * torch.where(x > 0, 1.0, 0.1), (x,), 0.25)


def check_frozen(work: Work):
    """Compiled, `frozen` keeps at most two tensors, and the weight gets no gradient."""
    x, w = _inputs()
    _, gradient = _check_written(work, work.frozen, lambda x, w: functional.gelu(x @ w), (x, w), 2)
    require(gradient is None, "The weight still gets a gradient from `frozen`: keep it out of the autograd graph.")
    require(w.requires_grad, "`frozen` changed `w.requires_grad`, which other uses of the weight may need.")
