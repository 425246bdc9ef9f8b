"""Where a hook ends up: in the backward graph, in autograd's engine, or nowhere."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

from compile_lessons import Table, show


def step(x, w, hooked):
    y = torch.sin(x * w)
    if hooked == "y":
        y.register_hook(lambda gradient: gradient.clamp(-0.5, 0.5))
    y.sum().backward()


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module.code)
    return make_boxed_func(graph_module.forward)


def gradient(function, hooked):
    w = torch.ones(4, requires_grad=True)
    if hooked == "w":
        w.register_hook(lambda gradient: gradient.clamp(-0.5, 0.5))
    function(torch.ones(4), w, hooked)
    return w.grad


rows = [["default"], ["compiled_autograd"], ["trace_autograd_ops"]]
for row in rows:
    for hooked in ("y", "w"):
        graphs = []
        with torch._dynamo.config.patch({row[0]: True} if row[0] != "default" else {}):
            actual = gradient(torch.compile(step, backend=aot_autograd(fw_compiler=keep_graph)), hooked)
        torch.compiler.reset()
        inside = any("clamp" in graph and "cos" in graph for graph in graphs)
        right = torch.allclose(actual, gradient(step, hooked))
        row.append(("in the graph" if inside else "by the engine") if right else "not run")
show(Table(["setting", "hook on y", "hook on w"], rows))
# region checks
assert [row[1] for row in rows] == ["in the graph"] * 3
assert [row[2] for row in rows] == ["by the engine", "in the graph", "not run"]
assert torch.allclose(actual, gradient(step, "nothing"))  # the last gradient is the one without a hook
# endregion
