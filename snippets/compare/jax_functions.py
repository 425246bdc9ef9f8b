# /// lesson
# needs = ["peers"]
# ///
"""The five functions in JAX, under jax.jit."""

import jax
import jax.numpy as jnp
from _outcome import report


# region functions
def softmax(x):
    exps = jnp.exp(x - x.max(-1, keepdims=True))
    return exps / exps.sum(-1, keepdims=True)


def mlp(x, w1, b1, w2, b2):
    return jax.nn.silu(x @ w1 + b1) @ w2 + b2


def branch(x):
    if x.sum() > 0:
        return x * 2
    return x - 1


def branch_cond(x):
    return jax.lax.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, x)


def center(x):
    traced.append(x.shape)  # Python runs this line when JAX traces, not in each call
    return (x - x.mean(0)) * x.shape[0]


def step(w, x, y):
    def loss(w):
        return ((jnp.tanh(x @ w) - y) ** 2).mean()

    value, gradient = jax.value_and_grad(loss)(w)
    return w - 0.1 * gradient, value


traced = []
# endregion

# region calls
if __name__ == "__main__":
    functions = {
        "softmax": jax.jit(softmax),
        "mlp": jax.jit(mlp),
        "branch": jax.jit(branch),
        "center": jax.jit(center),
        "step": jax.jit(step),
        "branch, lax.cond": jax.jit(branch_cond),
    }
    outcomes = report(functions, jnp.asarray)
    versions = len(traced)
    print("traces for four sizes:", versions)
    # endregion
    # region checks
    as_is = outcomes["branch"]
    rewritten = outcomes["branch, lax.cond"]
    sizes = outcomes["center"]
    training = outcomes["step"]
    assert (as_is, rewritten) == ("TracerBoolConversionError", "as eager")
    assert (sizes, versions, training) == ("as eager", 4, "as eager")
    assert outcomes["softmax"] == outcomes["mlp"] == "as eager"
    # endregion
