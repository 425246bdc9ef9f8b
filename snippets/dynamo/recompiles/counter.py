# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""A call counter as an int, and as a buffer."""

import torch


class Decay(torch.nn.Module):
    def __init__(self, step):
        super().__init__()
        if isinstance(step, torch.Tensor):
            self.register_buffer("step", step)
        else:
            self.step = step

    def forward(self, x):
        self.step += 1
        return x / self.step


def counting(graph_module, example_inputs):
    versions.append(graph_module)
    return lambda *inputs: runs.append(1) or graph_module.forward(*inputs)


counts = []
for step in (0, torch.tensor(0)):
    torch.compiler.reset()
    versions, runs = [], []
    compiled = torch.compile(Decay(step), backend=counting)
    results = [compiled(torch.ones(1)).item() for _ in range(100)]
    assert abs(results[99] - 0.01) < 1e-6
    counts += [len(versions), 100 - len(runs)]
    print(f"{type(step).__name__:6} versions: {counts[-2]}  calls in eager mode: {counts[-1]}")

as_int, int_eager, as_buffer, buffer_eager = counts
assert counts == [8, 92, 1, 0]
