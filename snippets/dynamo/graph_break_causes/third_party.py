"""Somebody else's function: Python is followed, C is not."""

import colorsys
import warnings
import zlib

import torch

from compile_lessons import Table, show


def python_library(x):
    hue, _, _ = colorsys.rgb_to_hls(0.2, 0.4, 0.4)
    return (x + 1) * hue


def c_library(x):
    return (x + 1) * zlib.crc32(b"weights")


warnings.simplefilter("ignore")  # the table gives the reason
rows = []
for function in (python_library, c_library):
    torch.compiler.reset()
    found = torch._dynamo.explain(function)(torch.ones(8))
    reasons = [reason.reason.splitlines()[0] for reason in found.break_reasons]
    rows.append([function.__name__, found.graph_count, len(reasons), " ".join(reasons)])

show(Table(["function", "graphs", "breaks", "reason"], rows))
assert hasattr(colorsys.rgb_to_hls, "__code__") and not hasattr(zlib.crc32, "__code__")
assert [row[1:3] for row in rows] == [[1, 0], [2, 1]]
