# /// lesson
# needs = ["gpu", "compiler", "triton"]
# env = {XLA_PYTHON_CLIENT_PREALLOCATE = "false"}
# varies.output = ['\d+(\.\d+)*']
# timeout = 600
# memory = 32768
# ///
"""Softmax, the MLP and a training step on a GPU: JAX and torch.compile in turns."""

import statistics
from time import perf_counter

import five
import jax
import jax_functions
import numpy
import torch

from compile_lessons import Table, show

random = numpy.random.default_rng(0)
x, y, w = (random.standard_normal((4096, 4096), "float32") / 64 for _ in range(3))
rows = []


def block(function, arguments, wait, calls=20):
    """Return the seconds of one of ``calls`` calls, with one wait for the GPU."""
    began = perf_counter()
    results = [function(*arguments) for _ in range(calls)]
    wait(results[-1])
    return (perf_counter() - began) / calls


for name, arrays in {
    "softmax": (x,),
    "mlp": (x, w, w[0], w, w[0]),
    "step": (w, x, y),
}.items():
    tensors = [torch.from_numpy(array).to("cuda", torch.bfloat16) for array in arrays]
    in_torch = tensors, lambda result: torch.cuda.synchronize()
    in_jax = (
        [jax.numpy.asarray(array, jax.numpy.bfloat16) for array in arrays],
        jax.block_until_ready,
    )
    eager, jitted = getattr(five, name), jax.jit(getattr(jax_functions, name))
    cases = {
        "eager": (eager, *in_torch),
        "torch.compile": (torch.compile(eager), *in_torch),
        "JAX": (jitted, *in_jax),
    }
    first = {case: block(*call, calls=1) for case, call in cases.items()}
    rounds = [{case: block(*call) for case, call in cases.items()} for _ in range(15)]
    for case in ("torch.compile", "JAX"):
        low, middle, high = statistics.quantiles(
            [times[case] / times["eager"] for times in rounds], n=4
        )
        rows.append(
            [
                name,
                case,
                f"{first[case]:.1f} s",
                f"{middle:.2f}",
                f"{low:.2f} to {high:.2f}",
            ]
        )
show(
    Table(
        [
            "function",
            "compiled by",
            "first call",
            "later calls, eager is 1",
            "quartiles",
        ],
        rows,
    )
)
print("jax", jax.__version__, "on", jax.devices()[0].device_kind)
# region checks
new_weights = (
    eager(*tensors)[0].float().cpu().numpy(),
    numpy.asarray(jitted(*in_jax[0])[0], "float32"),
)
assert numpy.allclose(*new_weights, atol=1e-2)
assert len(rows) == 6 and jax.devices()[0].platform == "gpu"
# endregion
