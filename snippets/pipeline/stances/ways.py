"""Three ways to set a stance, and how long each holds."""

import torch

from compile_lessons import keep_graphs


def scaled(x):
    return x.sin() * 2


@torch.compiler.set_stance("force_eager")
def evaluate():
    compiled(x)


kept = keep_graphs()
compiled = torch.compile(scaled, backend=kept)
x = torch.ones(4)

with torch.compiler.set_stance("force_eager"):
    compiled(x)
print("runs of a graph after the with block:        ", len(kept.runs))
evaluate()
print("runs of a graph after the decorated function:", len(kept.runs))
torch.compiler.set_stance("force_eager")
compiled(x)
print("runs of a graph after the plain call:        ", len(kept.runs))
while_forced = len(kept.runs)
torch.compiler.set_stance("default")
compiled(x)
print("runs of a graph after set_stance('default'): ", len(kept.runs))

# region checks
assert while_forced == 0
assert len(kept.runs) == 1
# endregion
