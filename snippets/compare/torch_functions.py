# /// lesson
# needs = ["peers", "compiler"]
# timeout = 300
# ///
"""The five functions under torch.compile, as they are."""

import five
import torch
from _outcome import report


def branch_cond(x):
    return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))


def counting(name):
    """Compile one of the functions; count the graphs that Inductor gets."""

    def backend(graph_module, example_inputs):
        graphs[name] = graphs.get(name, 0) + 1
        return torch._inductor.compile(graph_module, example_inputs)

    return torch.compile(getattr(five, name), backend=backend)


graphs = {}
functions = {name: torch.compile(getattr(five, name)) for name in ("softmax", "mlp", "step")}
functions |= {name: counting(name) for name in ("branch", "center")}
outcomes = report({**functions, "branch, torch.cond": torch.compile(branch_cond, fullgraph=True)}, torch.from_numpy)
print("graphs for both branches:", graphs["branch"])
print("graphs for four sizes:", versions := graphs["center"])
# region checks
as_is, rewritten, sizes, training = (outcomes[name] for name in ("branch", "branch, torch.cond", "center", "step"))
assert set(outcomes.values()) == {"as eager"}
assert (graphs["branch"], versions) == (3, 2)
# endregion
