# /// lesson
# needs = ["peers"]
# env = {TF_CPP_MIN_LOG_LEVEL = "3"}
# ///
"""The branch in TensorFlow: AutoGraph rewrites the if before it traces."""

from _tensorflow import tf


def branch(x):
    if tf.reduce_sum(x) > 0:
        return x * 2
    return x - 1


print(tf.autograph.to_code(branch))
compiled = tf.function(branch, jit_compile=True)
x = tf.ones(4)
graph = compiled.get_concrete_function(x).graph
print("graph:", *(operation.type for operation in graph.get_operations()))
hlo = compiled.experimental_get_compiler_ir(x)(stage="hlo")
[conditional] = [line for line in hlo.splitlines() if " conditional(" in line]
print("HLO:  ", conditional.strip().split(", metadata")[0])
# region checks
assert compiled(x).numpy().tolist() == [2.0] * 4
assert compiled(-x).numpy().tolist() == [-2.0] * 4
# endregion
