"""Facts stated in docs/dynamo/graph-break-causes.md."""

from pathlib import Path

import pytest
import torch


def test_each_cause_breaks_once(record):
    assert record("dynamo/graph_break_causes/table.py").values["actions"] == 8
    found = record("dynamo/graph_break_causes/values.py")
    assert (found.values["causes"], found.values["captured"]) == (8, 4)
    assert "[['y', 'neg'], ['sum_1'], ['mul']]" in found.text  # the key function of sorted


def test_constructs_that_trace(record):
    text = record("dynamo/graph_break_causes/traced.py").text
    assert all(name in text for name in ("generator", "try_except", "context_manager"))
    assert "_assert_async" in record("dynamo/graph_break_causes/traced_calls.py").text


def test_skipped_frames_have_no_graph_and_a_negative_count(record):
    values = record("dynamo/graph_break_causes/inside.py").values
    assert (values["skipped_graphs"], values["skipped_count"]) == (0, -1)


def test_a_context_manager_that_dynamo_knows_is_entered_again(record):
    assert record("dynamo/graph_break_causes/resumed.py").values["resumed_graphs"] == 2


def test_explain_misses_what_leaves_no_graph(record):
    lines = record("dynamo/graph_break_causes/tools.py").text.splitlines()[2:]
    assert [line.split()[:2] for line in lines] == [["two_breaks", "2"], ["at_the_start", "0"], ["in_loop", "0"]]


def test_log_names_the_skipped_frame(record):
    text = record("dynamo/graph_break_causes/loop_log.py").text
    assert "Skipping the function and falling back to eager" in text and "graph break in loop" in text


def test_break_after_the_loop(record):
    assert record("dynamo/graph_break_causes/loop_fixed.py").values["graph_count"] == 2


def test_python_is_followed_and_c_is_not(record):
    assert "skipped" in record("dynamo/graph_break_causes/third_party.py").text


@pytest.mark.parametrize(
    ("file", "symbol"),
    [
        ("_dynamo/symbolic_convert.py", "def generic_jump"),
        ("_dynamo/symbolic_convert.py", "class InstructionTranslatorBase"),
        ("_dynamo/exc.py", "class Unsupported"),
        ("_dynamo/exc.py", "class SkipFrame"),
        ("_dynamo/graph_break_registry.json", "Explanation"),
        ("_dynamo/trace_rules.py", "def lookup"),
    ],
)
def test_named_symbols_exist(file, symbol):
    assert symbol in (Path(torch.__file__).parent / file).read_text()
