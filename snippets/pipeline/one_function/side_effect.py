# /// lesson
# varies.output = ['__compiled_fn_\w+']
# ///
"""A global that the function changes is stored after the graph has run."""

import torch

from compile_lessons import capture

calls = 0


def counted_gelu(x):
    global calls  # noqa: PLW0603
    calls += 1
    return x * torch.sigmoid(1.702 * x)


[frame] = capture(counted_gelu, until="dynamo")(torch.ones(512)).frames
steps = []
for step in frame.rewritten:
    if "__compiled_fn" in step.argument or step.argument == "calls":
        print(step.opname, step.argument)
        steps.append(step)

# region checks
assert "__compiled_fn" in steps[0].argument
assert steps[-1].opname == "STORE_GLOBAL"
assert calls == 1
# endregion
