"""The first call has one token, and no guard says that the graph is only for one."""

import torch
from torch._dynamo.decorators import mark_unbacked

from compile_lessons import Table, show


# region positions
def positions(tokens, start):
    return start + torch.zeros_like(tokens) + torch.arange(len(tokens))


def serve(first, mark):
    torch.compiler.reset()
    options = {"guard_filter_fn": torch.compiler.skip_all_guards_unsafe}
    compiled = torch.compile(positions, backend="eager", options=options)
    for count in (first, 3):
        tokens = torch.arange(count)
        mark(tokens, 0)
        result = compiled(tokens, 10)
    return [mark.__name__, first, str(result.tolist())]


rows = [
    serve(1, torch._dynamo.mark_dynamic),
    serve(4, torch._dynamo.mark_dynamic),
    serve(1, mark_unbacked),
]
show(Table(["marked with", "tokens in the first call", "result for 3 tokens"], rows))
# endregion

# region checks
results = [row[2] for row in rows]
assert results == ["[10, 10, 10]", "[10, 11, 12]", "[10, 11, 12]"]
# endregion
