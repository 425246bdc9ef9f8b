"""torch._check: a condition that is tested when the graph runs."""

import torch


def show_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    print(graph_module.code.strip())
    return graph_module.forward


torch.compiler.set_default_backend(show_graph)


# region copy
@torch.compile(fullgraph=True)
def head(x, counts):
    n = counts.sum().item()
    torch._check(n > 3)
    if n > 3:  # true, because of the check
        return x[:3]
    return x


# endregion
graphs, message = [], ""
print(head(torch.ones(8), torch.tensor([2, 3])))
try:
    head(torch.ones(8), torch.tensor([1, 1]))
except RuntimeError as error:
    message = str(error).splitlines()[0]
    print("RuntimeError:", message)

# region checks
assert len(graphs) == 1 and "Runtime assertion failed" in message


@torch.compile(backend="eager", fullgraph=True)
def by_cond(x, counts):
    return torch.cond(counts.sum() > 3, lambda x: x[:3].clone(), torch.clone, (x,))


with torch.no_grad():
    assert len(by_cond(torch.ones(8), torch.tensor([2, 3]))) == 3
failed = False
try:  # in training, the backward graph needs one shape
    by_cond(torch.ones(8, requires_grad=True), torch.tensor([2, 3])).sum().backward()
except RuntimeError:
    failed = True
assert failed
# endregion
