"""torch.where computes both sides, and the gradient sees both."""

import torch


def unsafe(x):
    return torch.where(x > 0, torch.sqrt(x), 0.0)


def safe(x):
    positive = torch.where(x > 0, x, 1.0)
    return torch.where(x > 0, torch.sqrt(positive), 0.0)


for function in (unsafe, safe):
    for run in (function, torch.compile(function, backend="aot_eager", fullgraph=True)):
        x = torch.tensor([4.0, -4.0], requires_grad=True)
        y = run(x)
        y.sum().backward()
        how = "eager" if run is function else "compiled"
        print(f"{function.__name__:6} {how:8}  y = {y.tolist()}  gradient = {x.grad.tolist()}")
        assert x.grad.isnan().any() == (function is unsafe)
# region checks
x = torch.tensor([0.0, 1.0])  # a rewrite that differs where its condition is exactly equal
assert not torch.equal(torch.where(x[0] < 0, -x, x), sorted([x, -x], key=lambda t: t[0])[1])
# endregion
