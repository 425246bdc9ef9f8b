# /// lesson
# needs = ["peers"]
# timeout = 600
# env = {TF_CPP_MIN_LOG_LEVEL = "3"}
# ///
"""The five functions in TensorFlow, under tf.function(jit_compile=True)."""

from _outcome import report
from _tensorflow import tf


def softmax(x):
    exps = tf.exp(x - tf.reduce_max(x, -1, True))
    return exps / tf.reduce_sum(exps, -1, True)


def mlp(x, w1, b1, w2, b2):
    return tf.nn.silu(x @ w1 + b1) @ w2 + b2


def branch(x):
    if tf.reduce_sum(x) > 0:
        return x * 2
    return x - 1


def center(x):
    traced.append(x.shape)  # runs when TensorFlow traces, not in each call
    return (x - tf.reduce_mean(x, 0)) * tf.cast(tf.shape(x)[0], tf.float32)


def step(w, x, y):
    with tf.GradientTape() as tape:
        tape.watch(w)
        value = tf.reduce_mean((tf.tanh(x @ w) - y) ** 2)
    return w - 0.1 * tape.gradient(value, w), value


traced = []
if __name__ == "__main__":
    functions = {
        f.__name__: tf.function(f, jit_compile=True)
        for f in (softmax, mlp, branch, center, step)
    }
    outcomes = report(functions, tf.constant)
    print("traces for four sizes:", versions := len(traced))
    # region checks
    as_is, sizes, training = (outcomes[name] for name in ("branch", "center", "step"))
    assert (as_is, sizes, versions, training) == ("as eager", "as eager", 4, "as eager")
    assert outcomes["softmax"] == outcomes["mlp"] == "as eager"
    # endregion
