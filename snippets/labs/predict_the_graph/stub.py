# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Predict the graph: how many calls does Dynamo record for each function, and
which code gives the graph that you want?

1. Replace each `...` in CALLS with the number of calls in the function's graph.
   Inputs and the output don't count.
2. Write `eight_additions`: it returns x + 36, and its graph has eight
   additions and nothing else.
3. Write `one_call`: it returns x * 2 if `name` is "double" and x * x if it is
   "square", and each graph has one call.
"""

import torch

from compile_lessons.labs import check

SCALE = 2.0


def one_line(x):
    return torch.relu(x) * SCALE + 1


def on_sizes(x):
    half = x.shape[-1] // 2
    width = half + len(["a", "list", "of", "words"])
    return x * width


def branched(x, training=False):
    y = x.sin()
    if training:
        y = torch.nn.functional.dropout(y)
    return y.cos()


def unused(x):
    y = x.exp()
    y = y.abs()
    return x + 1


def halves(x):
    first, second = x.chunk(2, dim=-1)
    return first * second


CALLS = {
    "one_line": ...,
    "on_sizes": ...,
    "branched": ...,
    "unused": ...,
    "halves": ...,
}


def eight_additions(x): ...


def one_call(x, name): ...


if __name__ == "__main__":
    check("predict_the_graph", __file__)
