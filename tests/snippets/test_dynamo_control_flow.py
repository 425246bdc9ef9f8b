"""Facts stated in docs/dynamo/control-flow.md."""

from pathlib import Path

import pytest
import torch


def test_one_graph(record):
    assert record("dynamo/control_flow/cond.py").values["graph_count"] == 1
    assert record("dynamo/control_flow/while_loop.py").values["graph_count"] == 1
    assert "fullgraph=True: Data-dependent branching" in record("dynamo/control_flow/python_while.py").text


def test_one_side_runs(record):
    assert record("dynamo/control_flow/one_side.py").text.count("the expensive side runs") == 1


def test_rules(record):
    assert record("dynamo/control_flow/rules.py").values["allowed"] == 1
    assert record("dynamo/control_flow/mutates.py").raised
    assert record("dynamo/control_flow/loop_shape.py").raised


def test_room_from_the_start(record):
    assert record("dynamo/control_flow/loop_fixed.py").values["final_length"] == 128


def test_condition_on_a_size(record):
    values = record("dynamo/control_flow/constant.py").values
    assert (values["static_compiles"], values["dynamic_compiles"]) == (2, 1)


def test_scan_does_not_grow(record):
    values = record("dynamo/control_flow/scan.py").values
    assert values["scan_5"] == values["scan_50"] < values["loop_5"] < values["loop_50"]
    values = record("dynamo/control_flow/map.py").values
    assert values["map_5"] == values["map_50"]


@pytest.mark.parametrize(
    ("file", "symbol"),
    [
        ("_higher_order_ops/cond.py", "def cond("),
        ("_higher_order_ops/cond.py", "class CondOp"),
        ("_higher_order_ops/while_loop.py", "def while_loop("),
        ("_higher_order_ops/while_loop.py", "class WhileLoopOp"),
        ("_higher_order_ops/scan.py", "def scan("),
        ("_higher_order_ops/map.py", "def map("),
        ("_dynamo/variables/higher_order_ops.py", "class CondHigherOrderVariable"),
    ],
)
def test_named_symbols_exist(file, symbol):
    assert symbol in (Path(torch.__file__).parent / file).read_text()
