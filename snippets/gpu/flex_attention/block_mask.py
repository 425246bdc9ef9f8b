"""create_block_mask evaluates a mask once, and sorts blocks of scores into kinds."""

from torch.nn.attention.flex_attention import create_block_mask


def window(batch, head, query, key):
    return (query >= key) & (query - key < 256)


mask = create_block_mask(window, None, None, 1024, 1024, device="cpu")
print(mask)

full = int(mask.full_kv_num_blocks.sum())
partial = int(mask.kv_num_blocks.sum())
skipped = 8 * 8 - full - partial
print("blocks without a masked score:", full)
print("blocks with some:", partial)
print("skipped blocks:", skipped)
# region checks
assert (full, partial, skipped) == (7, 14, 43)
# endregion
