# /// lesson
# needs = ["peers"]
# ///
"""The five functions in MLX, under mx.compile."""

import mlx.core as mx
import mlx.nn as nn
from _outcome import report


def softmax(x):
    return (exps := mx.exp(x - x.max(-1, keepdims=True))) / exps.sum(-1, keepdims=True)


def mlp(x, w1, b1, w2, b2):
    return nn.silu(x @ w1 + b1) @ w2 + b2


def branch(x):
    if x.sum() > 0:
        return x * 2
    return x - 1


def branch_where(x):
    return mx.where(x.sum() > 0, x * 2, x - 1)


def center(x):
    traced.append(x.shape)  # Python runs this line when MLX traces, not in each call
    return (x - x.mean(0)) * x.shape[0]


def step(w, x, y):
    value, gradient = mx.value_and_grad(lambda w: ((mx.tanh(x @ w) - y) ** 2).mean())(w)
    return w - 0.1 * gradient, value


traced = []
if __name__ == "__main__":
    functions = {
        f.__name__: mx.compile(f) for f in (softmax, mlp, branch, center, step)
    }
    outcomes = report(
        {**functions, "branch, mx.where": mx.compile(branch_where)}, mx.array
    )
    print("traces for four sizes:", versions := len(traced))
    # region checks
    as_is, rewritten, sizes, training = (
        outcomes[name] for name in ("branch", "branch, mx.where", "center", "step")
    )
    assert (as_is, rewritten) == ("ValueError", "as eager")
    assert (sizes, versions, training) == ("as eager", 4, "as eager")
    assert outcomes["softmax"] == outcomes["mlp"] == "as eager"
    # endregion
