"""Step 3: what each pass does to a careless function, one after the other."""

import torch
from _step2_interpret import backend_of
from _step3_passes import fold_constants, merge_common, remove_dead_code, simplify


def careless(x):
    scale = torch.full((4,), 2.0) * 3 + 1
    x.exp()  # not used
    return torch.sin(x) * 1 / 4 + torch.sin(x) ** 2 * scale - -x


def lines(module):
    calls = [node for node in module.graph.nodes if node.op not in ("placeholder", "output")]
    return [f"{node.name} = {node.target}{node.args if node.op == 'call_function' else ''}" for node in calls]


def run_passes(module):
    print("traced", *lines(module), sep="\n    ")
    counts.append(len(lines(module)))
    for one_pass in (fold_constants, simplify, merge_common, remove_dead_code):
        before = set(lines(module))
        one_pass(module)
        new = [line for line in lines(module) if line not in before]
        print(f"after {one_pass.__name__}: {len(lines(module))} nodes", *new, sep="\n    new: ")
        counts.append(len(lines(module)))
    print("left", *lines(module), sep="\n    ")
    module.recompile()
    return module.forward


counts, x = [], torch.randn(4)
result = torch.compile(careless, backend=backend_of(run_passes))(x)
# region checks
assert torch.equal(result, careless(x)) and counts[-1] <= 8 < counts[0]
assert not torch.equal(torch.empty(0), result)
# endregion
