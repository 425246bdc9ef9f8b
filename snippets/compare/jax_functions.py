# /// lesson
# needs = ["peers"]
# ///
"""The five functions in JAX, under jax.jit."""

import jax
import jax.numpy as jnp
from _outcome import report


def softmax(x):
    return (exps := jnp.exp(x - x.max(-1, keepdims=True))) / exps.sum(-1, keepdims=True)


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
    value, gradient = jax.value_and_grad(
        lambda w: ((jnp.tanh(x @ w) - y) ** 2).mean(),
    )(w)
    return w - 0.1 * gradient, value


traced = []
if __name__ == "__main__":
    functions = {f.__name__: jax.jit(f) for f in (softmax, mlp, branch, center, step)}
    outcomes = report(
        {**functions, "branch, lax.cond": jax.jit(branch_cond)}, jnp.asarray
    )
    print("traces for four sizes:", versions := len(traced))
    # region checks
    as_is, rewritten, sizes, training = (
        outcomes[name] for name in ("branch", "branch, lax.cond", "center", "step")
    )
    assert (as_is, rewritten) == ("TracerBoolConversionError", "as eager")
    assert (sizes, versions, training) == ("as eager", 4, "as eager")
    assert outcomes["softmax"] == outcomes["mlp"] == "as eager"
    # endregion
