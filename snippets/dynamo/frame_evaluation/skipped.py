"""By default, one module without a tensor operation keeps every other module of its class in eager mode."""

import torch

from compile_lessons import Table, show


class DropPath(torch.nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        if self.rate == 0 or not self.training:
            return x
        return x * (torch.rand(len(x), 1) > self.rate) / (1 - self.rate)


def counting(graph_module, example_inputs):
    return lambda *inputs: runs.append(1) or graph_module.forward(*inputs)


rates, columns = (0.0, 0.1, 0.2), {}
for setting in ({}, {"fullgraph": True}, {"isolate_recompiles": True}):
    torch.compiler.reset()
    column = columns["".join(f"{name}={value}" for name, value in setting.items()) or "default"] = []
    for rate in rates:
        runs, module = [], DropPath(rate)
        module.compile(backend=counting, **setting)
        module(torch.ones(8, 4))
        column.append("compiled" if runs else "eager")
show(Table(["rate", *columns], list(zip(rates, *columns.values(), strict=True))))


# region checks
def drop_path(x, training):
    return x * 2 if training else x


assert list(columns.values()) == [["eager"] * 3, ["compiled"] * 3, ["eager", "compiled", "compiled"]]
for setting, expected in ({"fullgraph": True}, [1, 1, 1]), ({"isolate_recompiles": True}, [1, 0, 0]), ({}, [1, 0, 0]):
    torch.compiler.reset()
    compiled, ran = torch.compile(drop_path, backend=counting, **setting), []
    for training in (True, False, True):  # by default, one evaluation call turns off the version of the first call
        runs = []
        compiled(torch.ones(4), training)
        ran.append(len(runs))
    assert ran == expected, setting
with torch.compiler.set_stance("fail_on_recompile"):  # raises nothing: Dynamo doesn't see the frame any more
    compiled(torch.ones(4), True)


class Block(torch.nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        return x + x.new_empty(len(x), 1).bernoulli_(1 - self.rate)  # as in timm


torch._logging.set_logs(dynamo=50)  # no warning at the limit
for isolate, expected in ((False, 8), (True, 12)):
    torch.compiler.reset()
    runs, blocks = [], [Block(i / 20) for i in range(12)]
    for block in blocks:
        block.compile(backend=counting, isolate_recompiles=isolate)
        block(torch.ones(8, 4))
    assert len(runs) == expected
torch.compiler.reset()
runs, model = [], torch.compile(torch.nn.Sequential(*[Block(i / 20) for i in range(12)]), backend=counting)
model(torch.ones(8, 4))
assert len(runs) == 1
# endregion
