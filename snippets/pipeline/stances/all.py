"""Six stances over the same calls, after one call that compiled."""

import torch
from torch._dynamo.utils import counters  # private: torch has no public counter

from compile_lessons import Table, keep_graphs, show


def scaled(x):
    return x.sin() * 2


def scaled_again(x):
    """Stand for scaled: reset() keeps which calls eager_then_compile has seen."""
    return x.sin() * 2


def outcome(compiled, kept, size):
    """Tell what a call does. torch also counts the graphs of other backends."""
    before = len(kept.graphs)
    captured = counters["stats"]["unique_graphs"]
    try:
        compiled(torch.ones(size))
    except RuntimeError as error:
        return type(error).__name__
    if len(kept.graphs) > before:
        return "compiles"
    captured_now = counters["stats"]["unique_graphs"]
    return "with aot_eager" if captured_now > captured else "no compile"


def try_stance(stance, function):
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(function, backend=kept, dynamic=False)
    compiled(torch.ones(4))
    with torch.compiler.set_stance(stance):
        return [stance, *(outcome(compiled, kept, size) for size in (4, 5, 5))]


rows = [
    try_stance("default", scaled),
    try_stance("force_eager", scaled),
    try_stance("eager_on_recompile", scaled),
    try_stance("fail_on_recompile", scaled),
    try_stance("eager_then_compile", scaled),
    try_stance("aot_eager_then_compile", scaled_again),
]
show(Table(["stance", "same size", "new size", "new size again"], rows))

# region checks
assert [row[1] for row in rows] == ["no compile"] * 6
new_size = ["compiles", "no compile", "no compile", "RuntimeError", "no compile"]
assert [row[2] for row in rows] == [*new_size, "with aot_eager"]
again = ["no compile", "no compile", "no compile", "RuntimeError", "compiles"]
assert [row[3] for row in rows] == [*again, "no compile"]
# endregion
