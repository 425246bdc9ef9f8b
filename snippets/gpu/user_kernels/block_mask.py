# /// lesson
# ///
"""A mask as a function: create_block_mask evaluates it once, and sorts blocks of 128 x 128 scores into three kinds."""

from torch.nn.attention.flex_attention import create_block_mask


def window(batch, head, query, key):
    return (query >= key) & (query - key < 256)


mask = create_block_mask(window, None, None, 1024, 1024, device="cpu")
print(mask)

partial, full = int(mask.kv_num_blocks.sum()), int(mask.full_kv_num_blocks.sum())
skipped = 8 * 8 - partial - full
print(f"blocks without a masked score: {full}; with some: {partial}; skipped: {skipped}")
# region checks
assert (full, partial, skipped) == (7, 14, 43)
# endregion
