# /// lesson
# needs = ["compiler"]
# ///
"""FlexAttention on a CPU, with a mask that reads a tensor: the second length fails."""

import re

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from compile_lessons import Table, show


def outcome(flex, length):
    document = torch.arange(length) // 64  # 64 tokens in each

    def same_document(batch, head, query, key):
        return document[query] == document[key]

    mask = create_block_mask(same_document, None, None, length, length, device="cpu")
    x = torch.randn(1, 2, length, 16)
    try:
        result = flex(x, x, x, block_mask=mask)
    except Exception as error:
        return re.search("error: (.*)", str(error))[1]
    torch.testing.assert_close(result, flex_attention(x, x, x, block_mask=mask))
    return "as in eager mode"


table = []
for dynamic in (None, False):
    flex = torch.compile(flex_attention, dynamic=dynamic)
    for length in (128, 192):
        table.append([f"dynamic={dynamic}", length, outcome(flex, length)])
show(Table(["compiled with", "length", "result"], table))
# region checks
assert [row[2] == "as in eager mode" for row in table] == [True, False, True, True]
assert "cur_qSplitSize" in table[1][2]
# endregion
