# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Several modes and sizes of one model in one process: all versions share the function's recompile limit."""

import torch
from _models import MLP


def mode():
    """Return a new backend, as each mode of Inductor is a separate backend."""

    def counting(graph_module, example_inputs):
        return lambda *inputs: ran.append("compiled") or graph_module.forward(*inputs)

    return counting


model, outcomes = MLP(16), {}
for setting in ("by default", "isolate_recompiles=True"):
    torch.compiler.reset()
    options = {"isolate_recompiles": True} if "isolate" in setting else {}
    modes = [torch.compile(model, backend=mode(), dynamic=False, **options) for _ in range(2)]
    outcomes[setting] = []
    for size in (1, 8, 64, 512, 4096):
        for function in modes:
            ran = []
            function(torch.randn(size, 16))
            outcomes[setting].append(bool(ran))
    print(f"{setting}: {sum(outcomes[setting])} of {len(outcomes[setting])} calls ran compiled code")

# region checks
assert outcomes["by default"] == [True] * 8 + [False] * 2 and all(outcomes["isolate_recompiles=True"])
# endregion
