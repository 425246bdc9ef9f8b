# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]* (ms|to)', '\d\.\d\d']
# varies.values = ["low", "middle", "high"]
# ///
"""The same steps on a CPU, with a small decoder: gains over eager mode."""

from statistics import quantiles
from time import perf_counter

import torch
from _llama import Block, Decoder, Sizes, run

torch.set_num_threads(1)
torch.set_grad_enabled(False)
small = Sizes(layers=4, width=256, hidden=704, heads=4, cache=64, vocabulary=1000)
decoder = Decoder(small, device="cpu", dtype=torch.float32)
first_sums = torch.compile(Block.first_sums)
last_sum = torch.compile(Block.last_sum)


def layer_of_sums(block, x, token):
    return last_sum(block, *first_sums(block, x, token))


def milliseconds(step):
    began = perf_counter()
    step()
    return (perf_counter() - began) * 1e3


steps = {
    "eager": run(decoder, Block.forward, decoder.logits),
    "layers compiled": run(decoder, torch.compile(Block.forward), decoder.logits),
    "matmuls as sums": run(decoder, layer_of_sums, decoder.logits),
}
results = {name: step() for name, step in steps.items()}  # compiles
rounds = []
for _ in range(41):
    rounds.append({name: milliseconds(step) for name, step in steps.items()})
for name in steps:
    gains = [times["eager"] / times[name] for times in rounds[5:]]
    low, middle, high = quantiles(gains, n=4)
    print(f"{name:16} gain {middle:.2f} ({low:.2f} to {high:.2f})")
# region checks
for result in results.values():
    torch.testing.assert_close(result, results["eager"], rtol=1e-3, atol=1e-3)
# endregion
