# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""recompile_limit counts versions, including the first version and those of other torch.compile calls."""

import torch

from compile_lessons import Table, show


def scaled(x, name):
    return x * len(name)


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def call(compiled, times):
    for n in range(1, times + 1):
        compiled(torch.ones(2), "a" * n)


def compiles(before, **options):
    torch.compiler.reset()
    call(torch.compile(scaled, backend="eager"), before)
    graphs.clear()
    call(torch.compile(scaled, backend=keep_graph, **options), 6)
    return len(graphs)


graphs: list[torch.fx.GraphModule] = []
rows = [[limit, 0, "no", compiles(0, recompile_limit=limit)] for limit in (1, 2, 4)]
rows.append([4, 3, "no", compiles(3, recompile_limit=4)])
rows.append([4, 3, "yes", compiles(3, recompile_limit=4, isolate_recompiles=True)])
show(Table(["recompile_limit", "versions of another call", "isolate_recompiles", "compiles"], rows))
# region checks
assert [row[3] for row in rows] == [1, 2, 4, 1, 4]
# endregion
