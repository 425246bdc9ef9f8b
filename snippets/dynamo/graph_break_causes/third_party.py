"""Library functions: Python is traced, unless torch lists the library; C is not."""

import colorsys
import warnings
import zlib

import networkx
import torch

from compile_lessons import Table, capture, show


def python_library(x):
    return (x + 1) * colorsys.rgb_to_hls(0.2, 0.4, 0.4)[0]


def listed_library(x):
    return (x + 1) * len(networkx.utils.flatten([[1], [2, 3]]))


def c_library(x):
    return (x + 1) * (zlib.crc32(b"weights") % 7)


warnings.simplefilter("ignore")  # the table gives the reason
rows = []
for function in (python_library, listed_library, c_library):
    pipeline = capture(function, until="dynamo")(torch.ones(8))
    kinds = [graph_break.gb_type for graph_break in pipeline.breaks]
    rows.append([function.__name__, len(pipeline.graphs), " ".join(kinds)])
show(Table(["function", "graphs", "break"], rows))

# region checks
assert [row[1] for row in rows] == [1, 2, 2]
assert hasattr(networkx.utils.flatten, "__code__")
assert not hasattr(zlib.crc32, "__code__")
# endregion
