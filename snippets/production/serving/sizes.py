# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Two hundred requests with varying batch and length, served in five ways."""

import torch
from _service import classify, counting, graphs, runs, traffic

from compile_lessons import Table, show


# region pad
def padded(tokens):  # the batch to a power of two, the length to a multiple of 16
    batch, length = tokens.shape
    new = torch.zeros(1 << (batch - 1).bit_length(), 16 * -(-length // 16), dtype=tokens.dtype)
    new[:batch, :length] = tokens
    return new


# endregion
# region mark
def marked(tokens):
    torch._dynamo.mark_dynamic(tokens, 0)  # the batch
    torch._dynamo.mark_dynamic(tokens, 1)  # the length
    return tokens


# endregion
ways = {"dynamic=False": (False, torch.clone), "default": (None, torch.clone), "dynamic=True": (True, torch.clone)}
ways |= {"mark_dynamic": (None, marked), "buckets, dynamic=False": (False, padded)}
rows = []
for name, (dynamic, prepare) in ways.items():
    torch.compiler.reset()
    del graphs[:], runs[:]
    compiled, cells = torch.compile(classify, backend=counting, dynamic=dynamic, recompile_limit=32), 0
    with torch.inference_mode():
        for size in traffic():
            tokens = prepare(torch.randint(1, 100, size))
            cells += tokens.numel()
            compiled(tokens)
    waste = 1 - sum(batch * length for batch, length in traffic()) / cells
    rows.append([name, len(graphs), 200 - len(runs), f"{waste:.0%}"])
show(Table(["served with", "compiles", "requests in eager mode", "padding"], rows))
# region checks
assert [row[1:3] for row in rows] == [[32, 153], [4, 0], [2, 0], [2, 0], [16, 0]]
full, tokens = classify(torch.tensor([[5, 6, 7]])), torch.tensor([[5, 6, 7]])
torch.testing.assert_close(classify(padded(tokens))[:1], full)
# endregion
