"""The mask changes with each batch of documents: create_block_mask is compiled once."""

import torch
from torch.nn.attention.flex_attention import create_block_mask

from compile_lessons import keep_graphs

kept = keep_graphs()
create_compiled = torch.compile(create_block_mask, backend=kept)


def same_document(documents):
    """Return a mask function for the number of each token's document."""

    def mask(batch, head, query, key):
        return documents[query] == documents[key]

    return mask


length = 512
for tokens in (100, 150, 200):  # of each document
    mask = same_document(torch.arange(length) // tokens)
    shape = (None, None, length, length, "cpu")
    compiled = create_compiled(mask, *shape)
    expected = create_block_mask(mask, *shape)
    torch.testing.assert_close(compiled.to_dense(), expected.to_dense())
    skipped = f"{compiled.sparsity():.0f}% skipped"
    print(f"{tokens} tokens a document: {skipped}, graphs: {len(kept.graphs)}")

# region checks
assert len(kept.graphs) == 1
# endregion
