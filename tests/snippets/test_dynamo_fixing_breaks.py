"""Facts stated in docs/dynamo/fixing-breaks.md."""

from pathlib import Path

import pytest
import torch


def test_three_breaks_and_none(record):
    before = record("dynamo/fixing_breaks/before.py").values
    assert (before["graph_count"], before["break_count"]) == (5, 3)
    assert record("dynamo/fixing_breaks/after.py").values["graph_count"] == 1


@pytest.mark.parametrize("name", ["cond", "reorder", "hop_print", "custom_op"])
def test_one_graph(record, name):
    assert record(f"dynamo/fixing_breaks/{name}.py").values["graph_count"] == 1


def test_reordered_messages_come_after_the_graph(record):
    text = record("dynamo/fixing_breaks/reorder.py").text
    assert text.index("the graph runs") < text.index("y is") < text.index("z is")


def test_ignored_logger_is_silent(record):
    assert record("dynamo/fixing_breaks/ignore_logging.py").text.count("halfway") == 1


def test_where_computes_both_gradients(record):
    lines = record("dynamo/fixing_breaks/where_grad.py").text.splitlines()
    assert [(line.split()[0], "nan" in line) for line in lines] == [("unsafe", True)] * 2 + [("safe", False)] * 2


def test_breaks_as_errors_in_one_part(record):
    found = record("dynamo/fixing_breaks/error_on.py")
    assert "a break, allowed" in found.text and found.raised


def test_suppress_errors_does_not_change_breaks(record):
    values = record("dynamo/fixing_breaks/suppress.py").values
    assert values["graphs_off"] == values["graphs_on"] == 2


@pytest.mark.parametrize(
    ("file", "symbol"),
    [
        ("_dynamo/config.py", "reorderable_logging_functions"),
        ("_dynamo/config.py", "ignore_logging_functions"),
        ("_dynamo/config.py", "suppress_errors"),
        ("_higher_order_ops/print.py", "class Print"),
        ("_higher_order_ops/cond.py", "def cond("),
        ("_library/custom_ops.py", "def custom_op"),
        ("_library/custom_ops.py", "def register_fake"),
        ("_dynamo/decorators.py", "error_on_graph_break"),
    ],
)
def test_named_symbols_exist(file, symbol):
    assert symbol in (Path(torch.__file__).parent / file).read_text()
