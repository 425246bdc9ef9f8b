# /// lesson
# needs = ["triton"]
# ///
"""Embedding bag, for a CPU and for an H200."""

import torch
import torch.nn.functional as F

from compile_lessons import Explorer, capture, show


# region function
def mean_of_words(words, table):
    return F.embedding_bag(words, table, mode="mean")


# endregion
words = torch.randint(5000, (32, 16))
table = torch.randn(5000, 64)
captures = {
    "CPU": capture(mean_of_words, machine_code=False)(words, table),
    "H200": capture(mean_of_words, target="h200")(words, table),
}
show(Explorer(captures))
