# /// lesson
# needs = ["gpu", "triton"]
# memory = 60000
# timeout = 240
# ///
"""Decode with 7 billion weights at batch 1, in six steps."""

import torch
from _llama import Block, Decoder, Sizes, run
from _matvec import matvec
from _steps import Steps, copy_rate, cpu_name

torch.set_grad_enabled(False)
decoder, steps = (
    Decoder(Sizes()),
    Steps("share of copy", matrix=r"matvec|triton_red_fused\w*mul\w*sum|^(?!triton).*(gemv|gemm|nvjet|splitK)"),
)
copy, first_bytes = copy_rate(), decoder.bytes_read()

eager = run(decoder, Block.forward, decoder.logits)
steps.add("eager", eager, first_bytes / copy)
block, attend, start, end = map(torch.compile, (Block.forward, Block.attend, Block.first_sums, Block.last_sum))
compiled = run(decoder, block, torch.compile(decoder.logits))
steps.add("layers compiled", compiled, first_bytes / copy)
steps.add("one CUDA graph", compiled, first_bytes / copy, graph=True)
fused = run(decoder, lambda b, x, token: end(b, *start(b, x, token)), torch.compile(decoder.logits_sum))
steps.add("products as sums", fused, first_bytes / copy, graph=True)


def layer(b, x, token):
    q, k, v = matvec(x, b.qkv, b.gain1, scale=getattr(b, "qkv_scale", None)).chunk(3)
    x = matvec(attend(b, q, k, v, token), b.o, residual=x, scale=getattr(b, "o_scale", None))
    h = matvec(x, b.gate_up, b.gain2, swiglu=True, scale=getattr(b, "gate_up_scale", None))
    return matvec(h, b.down, residual=x, scale=getattr(b, "down_scale", None))


own = run(decoder, layer, lambda x: matvec(x, decoder.head, decoder.gain, scale=getattr(decoder, "head_scale", None)))
steps.add("own Triton product", own, first_bytes / copy, graph=True)
decoder.quantize()
int8_bytes = decoder.bytes_read()
steps.add("int8 weights", own, int8_bytes / copy, graph=True)
print(f"{torch.cuda.get_device_name()}, launched from {cpu_name()}; copy {copy / 1e12:.2f} TB/s; ms by kind of kernel")
steps.show()
# region checks
eager_ms, compiled_ms, graph_ms, sums_ms, own_ms, int8_ms = steps.ms
eager_share, compiled_share, graph_share, sums_share, own_share, int8_share = steps.shares
eager_kernels, compiled_kernels, _, sums_kernels, own_kernels, _ = steps.kernels
gigabytes, int8_gigabytes, copy_tb = first_bytes / 1e9, int8_bytes / 1e9, copy / 1e12
sums_error, own_error, int8_error = (steps.error(number) for number in (3, 4, 5))
assert not any(error > 0.15 for error in (sums_error, own_error, int8_error))
# endregion
