# /// lesson
# needs = ["peers"]
# timeout = 600
# env = {TF_CPP_MIN_LOG_LEVEL = "3"}
# ///
"""The five functions in TensorFlow, under tf.function(jit_compile=True)."""

from _outcome import report
from _tensorflow import tf


# region functions
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
# endregion

# region calls
if __name__ == "__main__":
    functions = {
        "softmax": tf.function(softmax, jit_compile=True),
        "mlp": tf.function(mlp, jit_compile=True),
        "branch": tf.function(branch, jit_compile=True),
        "center": tf.function(center, jit_compile=True),
        "step": tf.function(step, jit_compile=True),
    }
    outcomes = report(functions, tf.constant)
    versions = len(traced)
    print("traces for four sizes:", versions)
    # endregion
    # region checks
    as_is = outcomes["branch"]
    sizes = outcomes["center"]
    training = outcomes["step"]
    assert (as_is, sizes, versions, training) == ("as eager", "as eager", 4, "as eager")
    assert outcomes["softmax"] == outcomes["mlp"] == "as eager"
    # endregion
