"""Step 3: what each pass does to a careless function, one after the other."""

import torch
from _step2_interpret import backend_of
from _step3_passes import fold_constants, merge_common, remove_dead_code, simplify


def lines(module):
    nodes = [n for n in module.graph.nodes if n.op not in ("placeholder", "output")]
    return [f"{node.name} = {node.target}{node.args or ''}" for node in nodes]


# region passes
def careless(x):
    scale = torch.full((4,), 2.0) * 3 + 1
    x.exp()  # not used
    return torch.sin(x) * 1 / 4 + torch.sin(x) ** 2 * scale - -x


def run_passes(module):
    print("traced", *lines(module), sep="\n    ")
    counts.append(len(lines(module)))
    for one_pass in (fold_constants, simplify, merge_common, remove_dead_code):
        before = set(lines(module))
        one_pass(module)
        after = lines(module)
        new = [line for line in after if line not in before]
        print(f"after {one_pass.__name__}: {len(after)} nodes", *new, sep="\n    new: ")
        counts.append(len(after))
    print("left", *lines(module), sep="\n    ")
    module.recompile()
    return module.forward


counts = []
x = torch.randn(4)
result = torch.compile(careless, backend=backend_of(run_passes))(x)
# endregion
# region checks
assert torch.equal(result, careless(x))
assert counts[-1] <= 8 < counts[0]
# endregion
