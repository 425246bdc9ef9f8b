# /// lesson
# needs = ["peers"]
# ///
"""The five functions in MLX, under mx.compile."""

import mlx.core as mx
import mlx.nn as nn
from _outcome import report


# region functions
def softmax(x):
    exps = mx.exp(x - x.max(-1, keepdims=True))
    return exps / exps.sum(-1, keepdims=True)


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
    def loss(w):
        return ((mx.tanh(x @ w) - y) ** 2).mean()

    value, gradient = mx.value_and_grad(loss)(w)
    return w - 0.1 * gradient, value


traced = []
# endregion

# region calls
if __name__ == "__main__":
    functions = {
        "softmax": mx.compile(softmax),
        "mlp": mx.compile(mlp),
        "branch": mx.compile(branch),
        "center": mx.compile(center),
        "step": mx.compile(step),
        "branch, mx.where": mx.compile(branch_where),
    }
    outcomes = report(functions, mx.array)
    versions = len(traced)
    print("traces for four sizes:", versions)
    # endregion
    # region checks
    as_is = outcomes["branch"]
    rewritten = outcomes["branch, mx.where"]
    sizes = outcomes["center"]
    training = outcomes["step"]
    assert (as_is, rewritten) == ("ValueError", "as eager")
    assert (sizes, versions, training) == ("as eager", 4, "as eager")
    assert outcomes["softmax"] == outcomes["mlp"] == "as eager"
    # endregion
