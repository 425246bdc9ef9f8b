# /// lesson
# varies.output = ['num_threads\(\d+\)']
# varies.values = ["threads"]
# ///
"""Wrong: torch's Timer with its defaults. It sets one thread, which triggers a recompile inside the measurement."""

import torch
from torch.utils.benchmark import Timer


def keep_graph(graph_module, example_inputs):
    graphs.append(torch.get_num_threads())
    return graph_module.forward


torch.set_num_threads(2)
x, compiles = torch.randn(1000), {}
for name, options in {"Timer(…)": {}, "Timer(…, num_threads=torch.get_num_threads())": {"num_threads": 2}}.items():
    torch.compiler.reset()
    graphs = []
    compiled = torch.compile(torch.sin, backend=keep_graph)
    compiled(x)  # the warm-up
    Timer("compiled(x)", globals={"compiled": compiled, "x": x}, **options).timeit(100)
    compiles[name] = graphs
    print(f"{name:46} compiled for {' and then for '.join(f'{n} thread' + 's' * (n > 1) for n in graphs)}")

# region checks
assert list(compiles.values()) == [[2, 1], [2]]
# endregion
