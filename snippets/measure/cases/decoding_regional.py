"""One compile serves every layer: all layers share the code of Block.forward."""

import torch
from _llama import Block, Decoder, Sizes, run

from compile_lessons import keep_graphs

small = Sizes(layers=24, width=64, hidden=96, heads=2, cache=32, vocabulary=100)
decoder = Decoder(small, device="cpu", dtype=torch.float32)
kept = keep_graphs()
with torch.no_grad():
    block = torch.compile(Block.forward, backend=kept)
    compiled_step = run(decoder, block, decoder.logits)
    eager_step = run(decoder, Block.forward, decoder.logits)
    logits = compiled_step()
    expected = eager_step()
layers = len(decoder.blocks)
compiles = len(kept.graphs)
print(f"{layers} layers, {compiles} compile")

# region checks
assert (layers, compiles) == (24, 1)
torch.testing.assert_close(logits, expected)
# endregion
