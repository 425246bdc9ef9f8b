"""Count the bytes that one token reads at least, without allocating anything."""

import torch
from _llama import Decoder, Sizes

decoder = Decoder(Sizes(), device="meta")
weights = sum(weight.nbytes for weight in decoder.weights())
cache = decoder.bytes_read() - weights
weights_gb, cache_gb = weights / 1e9, cache / 1e9
floor_ms = decoder.bytes_read() / 4.24e12 * 1e3

print(f"weights {weights_gb:.1f} GB, cache {cache_gb:.2f} GB")
print(f"at the 4.24 TB/s of a copy on an H200: {floor_ms:.2f} ms per token, {1e3 / floor_ms:.0f} tokens per second")

# region checks
assert weights == 2 * (32 * (4 * 4096**2 + 3 * 4096 * 11008) + 32000 * 4096)
assert cache == 2 * 32 * 2 * 1024 * 4096 and torch.get_default_dtype() == torch.float32
# endregion
