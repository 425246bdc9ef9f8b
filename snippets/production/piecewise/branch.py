"""A branch on the number of tokens, traced with 4 tokens and called with 16."""

import torch
from torch._dynamo.decorators import mark_unbacked

from compile_lessons import Table, show


# region angles
def angles(positions):
    """Long prompts get smaller angles, as in models with a longer context."""
    if len(positions) > 8:
        return positions / 4
    return positions / 1


def angles_in_graph(positions):
    length = torch.full((), len(positions))
    return torch.where(length > 8, positions / 4, positions / 1)


# endregion


drop_all = torch.compiler.skip_all_guards_unsafe
dynamic = torch._dynamo.mark_dynamic


def keep_sizes(guards):
    return [guard.guard_type == "SHAPE_ENV" for guard in guards]


# region serve
def serve(function, guard_filter, mark):
    torch.compiler.reset()
    settings = {"backend": "eager", "fullgraph": True}
    options = {"guard_filter_fn": guard_filter}
    compiled = torch.compile(function, **settings, options=options)
    short = torch.arange(4)
    mark(short, 0)
    try:
        compiled(short)
        with torch.compiler.set_stance("fail_on_recompile"):
            result = compiled(torch.arange(16))
    except RuntimeError as error:
        return f"{type(error).__name__}: {shorten(str(error))}"
    right = torch.equal(result, function(torch.arange(16)))
    return "right" if right else "wrong, no error"


# endregion
def shorten(message):
    *_, message = message.partition("\n")[0].split("torch._check*(). ")
    return message.partition(". filename")[0].partition(" (unhinted")[0]


rows = [
    ["if", "none", "mark_dynamic", serve(angles, drop_all, dynamic)],
    ["if", "of sizes", "mark_dynamic", serve(angles, keep_sizes, dynamic)],
    ["if", "none", "mark_unbacked", serve(angles, drop_all, mark_unbacked)],
    ["torch.where", "none", "mark_dynamic", serve(angles_in_graph, drop_all, dynamic)],
]
show(Table(["branch", "guards", "marked with", "16 tokens, after 4"], rows))

# region checks
outcomes = [row[3].partition(":")[0] for row in rows]
assert outcomes == ["wrong, no error", "RuntimeError", "UserError", "right"]
assert serve(angles_in_graph, drop_all, mark_unbacked) == "right"
# endregion
