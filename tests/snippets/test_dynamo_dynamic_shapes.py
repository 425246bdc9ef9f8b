"""Facts stated in docs/dynamo/dynamic-shapes.md."""

from pathlib import Path

import pytest
import torch


def test_compiles_by_the_dynamic_argument(record):
    values = record("dynamo/dynamic_shapes/automatic.py").values
    assert [values[name] for name in ("four_sizes", "automatic", "always", "never")] == [2, 4, 3, 7]


def test_a_dynamic_graph_takes_the_size(record):
    assert "Sym(s" in record("dynamo/dynamic_shapes/graphs.py").text


def test_a_branch_is_a_guard(record):
    assert ">= 16" in record("dynamo/dynamic_shapes/symbolic.py").text
    found = record("dynamo/dynamic_shapes/branch.py")
    assert found.values["compiles"] == 2
    assert "8 <= L['a'].size()[0]" in found.text and "2 <= L['a'].size()[0] <= 7" in found.text


def test_duck_shaping(record):
    assert "2 symbol(s)" in record("dynamo/dynamic_shapes/duck.py").text


def test_ints(record):
    values = record("dynamo/dynamic_shapes/slice.py").values
    assert (values["arguments"], values["attributes"]) == (2, 6)


def test_marks(record):
    values = record("dynamo/dynamic_shapes/mark.py").values
    assert (values["unmarked_count"], values["marked_count"], values["bounded_count"]) == (2, 1, 2)
    assert record("dynamo/dynamic_shapes/violated.py").values["raised"]
    assert record("dynamo/dynamic_shapes/maybe.py").text.count("first graph for [4], 2 graphs") == 2
    assert record("dynamo/dynamic_shapes/ranged.py").values["ranged_count"] == 1


def test_a_fixed_size_makes_a_simpler_loop(record):
    values = record("dynamo/dynamic_shapes/kernel.py").values
    assert values["static_lines"] < values["dynamic_lines"]


def test_shapes_spec(record):
    found = record("dynamo/dynamic_shapes/spec.py")
    assert found.values["graph_count"] == 1 and "cannot both be set" in found.text


@pytest.mark.parametrize(
    ("file", "symbol"),
    [
        ("fx/experimental/symbolic_shapes.py", "class ShapeEnv"),
        ("fx/experimental/symbolic_shapes.py", "def produce_guards_verbose"),
        ("_dynamo/pgo.py", "class FrameStateSizeEntry"),
        ("_dynamo/decorators.py", "def mark_dynamic"),
        ("_dynamo/decorators.py", "def maybe_mark_dynamic"),
        ("_dynamo/decorators.py", "def mark_static"),
        ("_dynamo/config.py", "assume_static_by_default"),
        ("_dynamo/config.py", "automatic_dynamic_shapes"),
        ("fx/experimental/dynamic_spec.py", "class ShapesSpec"),
        ("fx/experimental/dynamic_spec.py", "class TensorSpec"),
        ("fx/experimental/dynamic_spec.py", "class ShapeVar"),
    ],
)
def test_named_symbols_exist(file, symbol):
    assert symbol in (Path(torch.__file__).parent / file).read_text()
