# /// lesson
# needs = ["gpu", "triton"]
# memory = 60000
# timeout = 240
# ///
"""Decode with 7 billion weights at batch 1, in six steps."""

from functools import partial

import torch
from _llama import Block, Decoder, Sizes, run
from _own_layer import layer, logits
from _steps import Steps, copy_rate, cpu_name

# region prepare
torch.set_grad_enabled(False)
decoder = Decoder(Sizes())
matmuls = r"matvec|triton_red_fused\w*mul\w*sum|^(?!triton).*(gemv|gemm|nvjet|splitK)"
steps = Steps("share of copy", matrix=matmuls)
copy = copy_rate()
bf16_bytes = decoder.bytes_read()
floor = bf16_bytes / copy

# endregion
# region steps
eager = run(decoder, Block.forward, decoder.logits)
steps.add("eager", eager, floor)

block = torch.compile(Block.forward)
compiled = run(decoder, block, torch.compile(decoder.logits))
steps.add("layers compiled", compiled, floor)
steps.add("one CUDA graph", compiled, floor, graph=True)

first_sums = torch.compile(Block.first_sums)
last_sum = torch.compile(Block.last_sum)


def layer_of_sums(block, x, token):
    return last_sum(block, *first_sums(block, x, token))


fused = run(decoder, layer_of_sums, torch.compile(decoder.logits_sum))
steps.add("products as sums", fused, floor, graph=True)

own_layer = partial(layer, attend=torch.compile(Block.attend))
own = run(decoder, own_layer, partial(logits, decoder))
steps.add("own Triton product", own, floor, graph=True)

decoder.quantize()
int8_bytes = decoder.bytes_read()
steps.add("int8 weights", own, int8_bytes / copy, graph=True)
# endregion
gpu = torch.cuda.get_device_name()
rate = f"copy {copy / 1e12:.2f} TB/s"
print(f"{gpu}, launched from {cpu_name()}; {rate}; ms by kind of kernel")
steps.show()
# region checks
eager_ms, compiled_ms, graph_ms, sums_ms, own_ms, int8_ms = steps.ms
*_, own_share, int8_share = steps.shares
eager_kernels, compiled_kernels, _, sums_kernels, own_kernels, _ = steps.kernels
gigabytes = bf16_bytes / 1e9
int8_gigabytes = int8_bytes / 1e9
own_error = steps.error(4)
int8_error = steps.error(5)
assert not steps.error(3) > 0.15
assert not own_error > 0.15
assert not int8_error > 0.15
# endregion
