"""One compile serves every layer: all layers share the code of Block.forward."""

import torch
from _llama import Block, Decoder, Sizes, run


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


small = Sizes(layers=24, width=64, hidden=96, heads=2, cache=32, vocabulary=100)
decoder, graphs = Decoder(small, device="cpu", dtype=torch.float32), []
with torch.no_grad():
    block = torch.compile(Block.forward, backend=keep_graph)
    logits = run(decoder, block, decoder.logits)()
    layers, compiles = len(decoder.blocks), len(graphs)
    expected = run(decoder, Block.forward, decoder.logits)()
print(f"{layers} layers, {compiles} compile")

# region checks
assert (layers, compiles) == (24, 1)
torch.testing.assert_close(logits, expected)
# endregion
