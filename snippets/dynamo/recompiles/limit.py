# /// lesson
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""The limit, and the calls after it."""

from itertools import count

import torch

from compile_lessons import Diagram, show

versions = count()


def numbering(graph_module, example_inputs):
    version = f"version {next(versions)}"
    return lambda *inputs: runs.append(version) or graph_module.forward(*inputs)


def scaled(x, name):
    return x * len(name)


ran = {}
compiled = torch.compile(scaled, backend=numbering, recompile_limit=2)
for number, name in enumerate(("ab", "abc", "abcd", "abc", "abcde"), 1):
    runs = []
    compiled(torch.ones(2), name)
    ran[f"call {number}: {name}"] = where = runs[0] if runs else "eager mode"
    print(f"-> {name}: {where}")
boxes = [*ran, *dict.fromkeys(ran.values())]
show(Diagram({box: box.replace(": ", "\n") for box in boxes}, list(ran.items())))

# region checks
assert list(ran.values()) == ["version 0", "version 1", "eager mode", "version 1", "eager mode"]
# endregion
