"""Facts that the page "Your first graph break" states."""

from pathlib import Path

import pytest
import torch

HERE = "dynamo/first_graph_break/"


def test_a_print_makes_two_graphs(record):
    see = record(HERE + "see.py")
    assert see.values["graph_count"] == 2
    assert see.text.splitlines() == [
        "first call",
        "compiling graph 1: ['relu', 'add']",
        "halfway",
        "compiling graph 2: ['mul']",
        "second call",
        "halfway",
    ]


def test_explain(record):
    explain = record(HERE + "explain.py")
    assert (explain.values["graphs"], explain.values["breaks"]) == (2, 1)
    for word in ("Graph Count: 2", "Graph Break Count: 1", "`print`", "User Stack", "explain.py, line"):
        assert word in explain.text
    assert "Out Guards" not in explain.text


def test_log_names_the_place(record):
    text = record(HERE + "logs.py").text
    assert text.count("Graph break in user code at snippets/dynamo/first_graph_break/logs.py:") == 1
    assert text.index("Graph break in user code") < text.index("\nhalfway")


def test_print_moved_out(record):
    assert record(HERE + "fix_print.py").values["graph_count"] == 1


def test_only_the_branch_taken_is_compiled(record):
    branch = record(HERE + "branch.py")
    assert (branch.values["after_positive"], branch.values["after_negative"]) == (2, 3)
    assert "return (lt,)" in branch.text
    assert "torch_dynamo_resume_in_safe_sqrt_at_7" in branch.text


def test_fullgraph_makes_a_break_an_error(record):
    fullgraph = record(HERE + "fullgraph.py")
    assert "Unsupported: Data-dependent branching" in fullgraph.raised
    assert "Data-dependent branching" in fullgraph.text
    assert "from user code:" in fullgraph.text


def test_where_keeps_one_graph_for_both_signs(record):
    fix = record(HERE + "fix_where.py")
    assert fix.values["graph_count"] == 1
    assert fix.text.count("-> tensor([2., 2., 2.])") == 2
    assert "torch.where(lt, neg, l_x_)" in fix.text


def test_a_break_costs_a_kernel(record):
    values = record(HERE + "cost.py").values
    assert (values["whole_kernels"], values["broken_kernels"]) == (1, 2)
    assert values["ratio"] > 0


def test_explain_misses_a_break_without_a_graph_after_it(record):
    values = record(HERE + "explain_misses.py").values
    assert (values["missed_count"], values["missed_reasons"]) == (0, 1)


@pytest.mark.parametrize(
    ("file", "symbol"),
    [
        ("_dynamo/eval_frame.py", "def explain"),
        ("_dynamo/backends/debugging.py", "class ExplainOutput"),
        ("_logging/_registrations.py", '"graph_breaks"'),
        ("_dynamo/exc.py", "class Unsupported"),
    ],
)
def test_named_symbols_exist(file, symbol):
    assert symbol in (Path(torch.__file__).parent / file).read_text()
