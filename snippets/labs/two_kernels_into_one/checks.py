"""The results of the norm, eager and traced, and the kernels that Inductor writes for a GPU."""

import torch

from compile_lessons.labs import Work, Wrong, require


def _model(work):
    model = work.QKNorm()
    names = {name: tuple(value.shape) for name, value in model.named_parameters()}
    require(
        names == {"q_scale": (64,), "k_scale": (64,)},
        f"The parameters are {names}. `q_scale` and `k_scale` with 64 elements each have to stay: a trained model's "
        "weights are loaded into them.",
    )
    for value in model.parameters():
        torch.nn.init.normal_(value)
    return model.requires_grad_(False)


def _expected(model, qkv):
    q, k, v = qkv[:, :8], qkv[:, 8:10], qkv[:, 10:]
    q, k = (x / (x.square().mean(-1, keepdim=True) + 1e-6).sqrt() for x in (q, k))
    return q * model.q_scale, k * model.k_scale, v


def check_the_results(work: Work):
    """Queries, keys and values match the original's, in eager mode and compiled."""
    model = _model(work)
    for mode, fn in (("", model), (" when it is compiled", torch.compile(model, backend="aot_eager"))):
        for tokens in (5, 16):
            qkv = torch.randn(tokens, 12, 64)
            results = fn(qkv)
            require(
                isinstance(results, tuple | list) and len(results) == 3,
                "`forward` has to return the queries, keys and values.",
            )
            for name, actual, expected in zip(
                ("queries", "keys", "values"), results, _expected(model, qkv), strict=True
            ):
                work.same(actual, expected, f"What `QKNorm` returns as {name}{mode}")


def check_the_kernels(work: Work):
    """Inductor writes one kernel, and calls no library or operator that it can't look inside."""
    pipeline = work.capture(_model(work), target="h200", machine_code=False)(torch.randn(1024, 12, 64))
    require(len(pipeline.graphs) == 1, f"There are {len(pipeline.graphs)} graphs: no kernel spans a graph break.")
    kernels = pipeline.kernels
    opaque = [kernel.name for kernel in kernels if kernel.kind != "triton"]
    if opaque:
        raise Wrong(
            f"Inductor calls {', '.join(opaque)}, a kernel that it did not write. It can't fuse anything with a kernel "
            "that it can't look inside. Write the norm with PyTorch operators."
        )
    if len(kernels) > 1:
        decisions = pipeline.graphs[0].inductor[0].decisions
        reasons = dict.fromkeys(decision.reason for decision in decisions if not decision.fused)
        between = {name for kernel in kernels for name in kernel.stores} & {
            name for kernel in kernels for name in kernel.loads
        }
        chain = (
            f"One kernel writes {', '.join(sorted(between))} to memory and another one reads it back: the second loop "
            "goes over different elements from the first. Which operation selects, copies or adds elements in between?"
            if between
            else "No kernel reads what another one writes: the kernels are independent, and each has its own rows. How "
            "would the rows have to be arranged so that one loop goes over all of them?"
        )
        raise Wrong(
            f"Inductor writes {len(kernels)} kernels: {', '.join(kernel.name for kernel in kernels)}. For pairs that "
            f"it did not fuse, the scheduler says: {'; '.join(reasons) or 'nothing, no pair was considered'}. {chain}"
        )
