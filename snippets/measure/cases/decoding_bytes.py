"""Count the bytes that one token reads at least, without allocating anything."""

from _llama import Decoder, Sizes

decoder = Decoder(Sizes(), device="meta")
weights = sum(weight.nbytes for weight in decoder.weights())
cache = decoder.bytes_read() - weights
floor_ms = decoder.bytes_read() / 4.24e12 * 1e3

print(f"weights {weights / 1e9:.1f} GB, cache {cache / 1e9:.2f} GB")
rate = f"{floor_ms:.2f} ms per token, {1e3 / floor_ms:.0f} tokens per second"
print(f"at the 4.24 TB/s of a copy on an H200: {rate}")

# region checks
assert weights == 2 * (32 * (4 * 4096**2 + 3 * 4096 * 11008) + 32000 * 4096)
assert cache == 2 * 32 * 2 * 1024 * 4096
# endregion
