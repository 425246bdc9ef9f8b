# /// lesson
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""The limit, and the calls after it."""

import torch


def counting(graph_module, example_inputs):
    return lambda *inputs: runs.append("compiled") or graph_module.forward(*inputs)


def scaled(x, name):
    return x * len(name)


ran = []
compiled = torch.compile(scaled, backend=counting, recompile_limit=2)
for name in ("ab", "abc", "abcd", "abc", "abcde"):
    runs = []
    compiled(torch.ones(2), name)
    ran.append("compiled code" if runs else "eager mode")
    print(f"-> {name}: {ran[-1]}")

# region checks
assert ran == ["compiled code", "compiled code", "eager mode", "compiled code", "eager mode"]
# endregion
