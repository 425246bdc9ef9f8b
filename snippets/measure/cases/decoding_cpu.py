# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]* (ms|to)', '\d\.\d\d']
# varies.values = ["compiled_gain", "fused_gain", "began", "low", "high"]
# ///
"""The same steps on a CPU, with a small decoder: gains over eager mode, median and quartiles of paired rounds."""

from statistics import quantiles
from time import perf_counter

import torch
from _llama import Block, Decoder, Sizes, run

torch.set_num_threads(1)
torch.set_grad_enabled(False)
small = Sizes(layers=4, width=256, hidden=704, heads=4, cache=64, vocabulary=1000)
decoder = Decoder(small, device="cpu", dtype=torch.float32)
block, start, end = map(torch.compile, (Block.forward, Block.first_sums, Block.last_sum))
steps = {
    "eager": run(decoder, Block.forward, decoder.logits),
    "layers compiled": run(decoder, block, decoder.logits),
    "matmuls as sums": run(decoder, lambda b, x, token: end(b, *start(b, x, token)), decoder.logits),
}
results, rounds = {name: step() for name, step in steps.items()}, []  # compiles
for _ in range(41):
    times = []
    for step in steps.values():
        began = perf_counter()
        step()
        times.append((perf_counter() - began) * 1e3)
    rounds.append(times)
gains = {}
for number, name in enumerate(steps):
    low, gains[name], high = quantiles([times[0] / times[number] for times in rounds[5:]], n=4)
    print(f"{name:16} gain {gains[name]:.2f} ({low:.2f} to {high:.2f})")
compiled_gain, fused_gain = gains["layers compiled"], gains["matmuls as sums"]
# region checks
for result in results.values():
    torch.testing.assert_close(result, results["eager"], rtol=1e-3, atol=1e-3)
# endregion
