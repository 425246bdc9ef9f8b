# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Two hundred requests with varying batch and length, served in five ways."""

import torch
from _service import classify, traffic

from compile_lessons import Table, keep_graphs, show


# region pad
def pad(tokens):  # the batch to a power of two, the length to a multiple of 16
    batch, length = tokens.shape
    buckets = 1 << (batch - 1).bit_length(), 16 * -(-length // 16)
    padded = torch.zeros(buckets, dtype=tokens.dtype)
    padded[:batch, :length] = tokens
    return padded


# endregion
# region mark
def mark(tokens):
    torch._dynamo.mark_dynamic(tokens, 0)  # the batch
    torch._dynamo.mark_dynamic(tokens, 1)  # the length
    return tokens


# endregion
# region serve
ways = {
    "dynamic=False": (torch.clone, False),
    "default": (torch.clone, None),
    "dynamic=True": (torch.clone, True),
    "mark_dynamic": (mark, None),
    "buckets, dynamic=False": (pad, False),
}
tokens_in_requests = sum(batch * length for batch, length in traffic())
rows = []
for name, (prepare, dynamic) in ways.items():
    torch.compiler.reset()
    kept = keep_graphs()
    options = {"dynamic": dynamic, "recompile_limit": 32}
    compiled = torch.compile(classify, backend=kept, **options)
    tokens_in_calls = 0
    for size in traffic():
        tokens = prepare(torch.randint(1, 100, size))
        tokens_in_calls += tokens.numel()
        with torch.inference_mode():
            compiled(tokens)
    padding = f"{1 - tokens_in_requests / tokens_in_calls:.0%}"
    rows.append([name, len(kept.graphs), 200 - len(kept.runs), padding])
show(Table(["served with", "compiles", "requests in eager mode", "padding"], rows))
# endregion

# region checks
compiles = rows[0][1]
in_eager_mode = rows[0][2]
counts = [row[1:3] for row in rows]
assert counts == [[32, 153], [4, 0], [2, 0], [2, 0], [16, 0]]
tokens = torch.tensor([[5, 6, 7]])
torch.testing.assert_close(classify(pad(tokens))[:1], classify(tokens))
# endregion
