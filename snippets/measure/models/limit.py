# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Two modes and five sizes of one model: all versions share the recompile limit."""

import torch
from _models import MLP

from compile_lessons import keep_graphs

model = MLP(16)
compiled_calls = []
for isolated in (False, True):
    torch.compiler.reset()
    modes = [keep_graphs() for _ in range(2)]  # a backend each, as Inductor's modes are
    options = {"dynamic": False, "isolate_recompiles": isolated}
    functions = [torch.compile(model, backend=mode, **options) for mode in modes]
    for size in (1, 8, 64, 512, 4096):
        for function in functions:
            function(torch.randn(size, 16))
    count = sum(len(mode.runs) for mode in modes)
    print(f"isolate_recompiles={isolated!s:5}  {count} of 10 calls ran compiled code")
    compiled_calls.append(count)

# region checks
assert compiled_calls == [8, 10]
# endregion
