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
import jax.numpy as jnp
import jax_functions
import numpy
import torch

from compile_lessons import Table, show

# region cases
random = numpy.random.default_rng(0)
x = random.standard_normal((4096, 4096), "float32") / 64
y = random.standard_normal((4096, 4096), "float32") / 64
w = random.standard_normal((4096, 4096), "float32") / 64
ARGUMENTS = {"softmax": (x,), "mlp": (x, w, w[0], w, w[0]), "step": (w, x, y)}


def wait_for_torch(result):
    torch.cuda.synchronize()


def in_each_framework(name):
    """Return by framework: a function, its arguments, and what waits for a result."""
    arrays = ARGUMENTS[name]
    in_torch = [torch.from_numpy(array).to("cuda", torch.bfloat16) for array in arrays]
    in_jax = [jnp.asarray(array, jnp.bfloat16) for array in arrays]
    eager = getattr(five, name)
    jitted = jax.jit(getattr(jax_functions, name))
    return {
        "eager": (eager, in_torch, wait_for_torch),
        "torch.compile": (torch.compile(eager), in_torch, wait_for_torch),
        "JAX": (jitted, in_jax, jax.block_until_ready),
    }


# endregion


# region rounds
def seconds(function, arguments, wait, calls):
    """Return the seconds of a call: of many calls, with one wait for the GPU."""
    began = perf_counter()
    results = [function(*arguments) for _ in range(calls)]
    wait(results[-1])
    return (perf_counter() - began) / calls


def take_turns(cases, calls):
    return {case: seconds(*cases[case], calls) for case in cases}


rows = []
for name in ARGUMENTS:
    cases = in_each_framework(name)
    first = take_turns(cases, calls=1)
    rounds = [take_turns(cases, calls=20) for _ in range(15)]
    for case in ("torch.compile", "JAX"):
        ratios = [times[case] / times["eager"] for times in rounds]
        low, middle, high = statistics.quantiles(ratios, n=4)
        later = [f"{middle:.2f}", f"{low:.2f} to {high:.2f}"]
        rows.append([name, case, f"{first[case]:.1f} s", *later])
# endregion
columns = [
    "function",
    "compiled by",
    "first call",
    "later calls, eager is 1",
    "quartiles",
]
show(Table(columns, rows))
print("jax", jax.__version__, "on", jax.devices()[0].device_kind)

# region checks
eager, in_torch, _ = cases["eager"]  # of the training step, the last function
jitted, in_jax, _ = cases["JAX"]
new_weights = eager(*in_torch)[0].float().cpu().numpy()
new_weights_in_jax = numpy.asarray(jitted(*in_jax)[0], "float32")
assert numpy.allclose(new_weights, new_weights_in_jax, atol=1e-2)
assert len(rows) == 6 and jax.devices()[0].platform == "gpu"
# endregion
