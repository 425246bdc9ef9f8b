# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Ten calls with a new number each: where the number is kept decides how often Dynamo compiles."""

from types import SimpleNamespace

import torch

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    return graphs.append(graph_module) or graph_module.forward


x, model, table, history, number, ratio = torch.ones(4), torch.nn.Module(), {}, [], 0, 0.0
model.config = SimpleNamespace()
cases = {  # the function, and what prepares a call with n and returns its arguments
    "size of a tensor": (lambda x: x * 2, lambda n: (torch.ones(n),)),
    "argument": (lambda x, n: x * n, lambda n: (x, n)),
    "inside an argument": (lambda x, o: x * o.n, lambda n: (x, SimpleNamespace(n=n))),
    "float on a module": (lambda x, m: x * m.f, lambda n: setattr(model, "f", n + 0.5) or (x, model)),
    "global float": (lambda x: x * ratio, lambda n: globals().update(ratio=n + 0.5) or (x,)),
    "tensor on a module": (lambda x, m: x * m.t, lambda n: setattr(model, "t", torch.tensor(n)) or (x, model)),
    "int on a module": (lambda x, m: x * m.n, lambda n: setattr(model, "n", n) or (x, model)),
    "int on its config": (lambda x, m: x * m.config.n, lambda n: setattr(model.config, "n", n) or (x, model)),
    "int on a global module": (lambda x: x * model.n, lambda n: setattr(model, "n", n) or (x,)),
    "global int": (lambda x: x * number, lambda n: globals().update(number=n) or (x,)),
    "item of a global dict": (lambda x: x * table["n"], lambda n: table.update(n=n) or (x,)),
    "length of a list that grows": (lambda x: history.append(1) or x * 2, lambda n: (x,)),
}
rows = {case: [case] for case in cases}
for torch._dynamo.config.allow_unspec_int_on_nn_module in (False, True):
    for case, (function, prepare) in cases.items():
        torch.compiler.reset()
        graphs, compiled = [], torch.compile(function, backend=keep_graph)
        results = [compiled(*prepare(n)) for n in range(2, 12)]
        rows[case].append(len(graphs))
show(Table(["the number is", "compiles", "with the setting"], list(rows.values())))
# region checks
assert [row[1:] for row in rows.values()] == [[2, 2]] * 5 + [[1, 1]] + [[8, 2]] * 2 + [[8, 8]] * 4


class Scaler:
    def scale(self, x):
        return x * self.n


def make_scale(n):
    def scale(x):
        return x * n

    def set_number(number):
        nonlocal n
        n = number

    return scale, set_number


scaler = Scaler()
for scale, set_number in (make_scale(1), (scaler.scale, lambda n: setattr(scaler, "n", n))):
    torch.compiler.reset()
    graphs, compiled = [], torch.compile(scale, backend=keep_graph)
    for n in range(2, 6):
        set_number(n)
        compiled(x)
    assert len(graphs) == 2


class Config:
    n = 0


for function, target in ((lambda x: x * Config.n, Config), (lambda x: x * history[0], history)):
    torch.compiler.reset()
    graphs, compiled = [], torch.compile(function, backend=keep_graph)
    for n in range(2, 6):
        Config.n = history[0] = n
        compiled(x)
    assert len(graphs) == 4, target
torch.compiler.reset()
graphs, compiled = [], torch.compile(cases["length of a list that grows"][0], backend=keep_graph)
for _ in range(10):
    history.clear()
    compiled(x)
assert len(graphs) == 1
# endregion
