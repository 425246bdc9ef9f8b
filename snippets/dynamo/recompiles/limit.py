# /// lesson
# env = {TORCH_LOGS = "recompiles", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""What happens at the limit, and after it."""

import torch

torch._dynamo.config.recompile_limit = 2


class Scale(torch.nn.Module):
    def forward(self, x):
        return x * self.factor


def counting(graph_module, example_inputs):
    return lambda *x: used.append("compiled") or graph_module.forward(*x)


scale, ways = Scale(), []
compiled = torch.compile(scale, backend=counting)
for factor in (2, 3, 4, 3, 5):
    used, scale.factor = [], factor
    assert compiled(torch.ones(2)).tolist() == [factor, factor]
    ways.append("compiled" if used else "eager")
    print(f"-> factor {factor}: {ways[-1]}")

assert ways == ["compiled", "compiled", "eager", "compiled", "eager"]
