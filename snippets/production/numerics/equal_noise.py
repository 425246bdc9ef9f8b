# /// lesson
# needs = ["compiler"]
# ///
"""Draw noise twice in a training step: in compiled code, the two draws can be equal."""

import torch
import torch._functorch.config

from compile_lessons import Table, show

draws = {
    "torch.normal(0.0, 1.0, x.shape)": lambda x: torch.normal(0.0, 1.0, x.shape),
    "torch.zeros_like(x).uniform_()": lambda x: torch.zeros_like(x).uniform_(),
    "torch.randn_like(x)": lambda x: torch.randn_like(x),
    "torch.rand_like(x)": lambda x: torch.rand_like(x),
}


def outcome(draw, backend, requires_grad=True):
    def loss(x):
        return (x * (draw(x) - draw(x)).abs()).sum()  # 0 only if both draws are equal

    torch.compiler.reset()
    x = torch.ones(1000, requires_grad=requires_grad)
    return "equal" if torch.compile(loss, backend=backend)(x) == 0 else "differ"


backends = ("eager", "aot_eager", "inductor")
rows = [[name, *(outcome(draw, backend) for backend in backends)] for name, draw in draws.items()]
show(Table(["each draw", "eager", "aot_eager", "Inductor"], rows))
# region checks
assert [row[1:] for row in rows] == [
    ["differ", "differ", "equal"],
    ["differ", "equal", "equal"],
    ["differ", "equal", "differ"],
    ["differ", "differ", "differ"],
]
first, second, *_ = draws.values()
assert outcome(first, "inductor", requires_grad=False) == outcome(second, "inductor", requires_grad=False) == "differ"
torch._functorch.config.cse = False
assert outcome(first, "inductor") == outcome(second, "inductor") == outcome(second, "aot_eager") == "differ"
# endregion
