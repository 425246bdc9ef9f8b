# /// lesson
# needs = ["compiler"]
# ///
"""Draw noise twice in a training step: in compiled code, the two draws can be equal."""

import torch

from compile_lessons import Table, show


def normal(x):
    return torch.normal(0.0, 1.0, x.shape)


def uniform(x):
    return torch.zeros_like(x).uniform_()


def compare(draw, backend):
    def loss(x):
        return (x * (draw(x) - draw(x)).abs()).sum()  # 0 if both draws are equal

    torch.compiler.reset()
    x = torch.ones(1000, requires_grad=True)
    return "equal" if torch.compile(loss, backend=backend)(x) == 0 else "differ"


rows = []
for draw in (normal, uniform, torch.randn_like, torch.rand_like):
    outcomes = [compare(draw, name) for name in ("eager", "aot_eager", "inductor")]
    rows.append([draw.__name__, *outcomes])
show(Table(["each draw", "eager", "aot_eager", "Inductor"], rows))

# region checks
assert rows[0][1:] == ["differ", "differ", "equal"]
assert rows[1][1:] == ["differ", "equal", "equal"]
assert rows[2][1:] == ["differ", "equal", "differ"]
assert rows[3][1:] == ["differ", "differ", "differ"]
# endregion
