"""A loop over experts in one graph: the gradient of an expert that gets no token."""

import torch
from torch.fx.experimental.symbolic_shapes import guard_or_false

from compile_lessons import Table, show


# region mix
def mix(x, choice, experts, is_idle):
    result = torch.zeros_like(x)
    for number, expert in enumerate(experts):
        tokens = (choice == number).nonzero().squeeze(1)
        if is_idle(len(tokens)):
            continue
        result = result.index_add(0, tokens, expert(x[tokens]))
    return result


# endregion
tests = {
    "n == 0": lambda n: n == 0,
    "guard_or_false(n == 0)": lambda n: guard_or_false(n == 0),
    "no test": lambda n: False,
}


def gradient(mix_experts, is_idle):
    experts = [torch.nn.Linear(4, 4) for _ in range(3)]
    choice = torch.tensor([0, 0, 1, 0, 1])  # expert 2 is idle
    try:
        mix_experts(torch.ones(5, 4), choice, experts, is_idle).sum().backward()
    except torch._dynamo.exc.UserError:
        return "error: could not guard"
    return "None" if experts[2].weight.grad is None else "zeros"


compiled = torch.compile(mix, backend="eager", fullgraph=True)
rows = []
for name, is_idle in tests.items():
    rows.append([name, gradient(mix, is_idle), gradient(compiled, is_idle)])
show(Table(["test", "gradient in eager mode", "with fullgraph=True"], rows))

# region checks
assert [row[1] for row in rows] == ["None", "None", "zeros"]
assert [row[2] for row in rows] == ["error: could not guard", "zeros", "zeros"]
# endregion
