"""torch.compiler.disable: what still gets compiled."""

import torch

from compile_lessons import Table, keep_graphs, show


def double(x):
    return x * 2


kept = keep_graphs()
off = torch.compiler.disable(double)
on = torch.compile(double, backend=kept)


@torch.compiler.disable
def disabled_calls_plain(x):
    return double(x)


@torch.compiler.disable
def disabled_calls_compiled(x):
    return on(x)


@torch.compile(backend=kept)
def compiled_calls_disabled(x):
    return off(x)


# region functions
functions = {
    "torch.compile(double)": on,
    "disable(torch.compile(double))": torch.compiler.disable(on),
    "torch.compile(disable(double))": torch.compile(off, backend=kept),
    "a disabled function that calls double": disabled_calls_plain,
    "a disabled function that calls torch.compile(double)": disabled_calls_compiled,
    "a compiled function that calls disable(double)": compiled_calls_disabled,
}
rows = []
for name, function in functions.items():
    torch.compiler.reset()
    kept.graphs.clear()
    function(torch.ones(3))
    rows.append([name, len(kept.graphs)])
show(Table(["called", "graphs"], rows))
# endregion
# region checks
assert [row[1] for row in rows] == [1, 0, 1, 0, 1, 0]
# endregion
