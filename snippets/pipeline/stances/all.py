"""Five stances, over the same three calls."""

import torch

from compile_lessons import Table, show

graphs = 0


def counting(graph_module, example_inputs):
    global graphs
    graphs += 1
    return graph_module.forward


def call(compiled, x):
    before = graphs
    try:
        compiled(x)
    except RuntimeError as error:
        return type(error).__name__
    return "compiles" if graphs > before else "no compile"


rows, on_recompile = [], ["eager_on_recompile", "fail_on_recompile"]
for stance in ["default", "force_eager", *on_recompile, "eager_then_compile"]:
    torch.compiler.reset()
    compiled = torch.compile(lambda x: x.sin() * 2, backend=counting, dynamic=False)
    with torch.compiler.set_stance(stance):
        rows.append([stance, *(call(compiled, torch.ones(size)) for size in (4, 4, 5))])

show(Table(["stance", "first call", "same again", "another size"], rows))
stances = len(rows)
assert rows[0][1:] == ["compiles", "no compile", "compiles"]
assert rows[1][1:] == rows[2][1:] == ["no compile"] * 3
assert rows[3][1:] == ["RuntimeError"] * 3
assert rows[4][1:] == ["no compile", "compiles", "compiles"]
