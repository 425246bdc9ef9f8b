"""Facts stated in docs/dynamo/inside-a-break.md."""

from pathlib import Path

import pytest
import torch


def test_pieces_in_order(record):
    text = record("dynamo/inside_a_break/pieces.py").text
    assert text.index("__compiled_fn") < text.index("__resume_at") < text.index("torch_dynamo_resume_in_shifted_square")


def test_resume_function_jumps_over_what_ran(record):
    text = record("dynamo/inside_a_break/resume.py").text
    assert "JUMP_FORWARD" in text and "___stack0" in text


def test_a_branch_has_two_resume_functions(record):
    values = record("dynamo/inside_a_break/branch.py").values
    assert (values["one_way"], values["both_ways"], values["resume_count"]) == (2, 3, 2)


def test_a_break_in_a_callee_breaks_the_caller(record):
    assert record("dynamo/inside_a_break/nested.py").values["graph_count"] == 4


def test_only_the_piece_whose_guard_fails_is_compiled(record):
    assert "nothing" in record("dynamo/inside_a_break/guards.py").text


def test_a_skipped_frame_leaves_its_callees(record):
    values = record("dynamo/inside_a_break/skipped.py").values
    assert (values["total"], values["ok"], values["graph_count"]) == (2, 1, 1)


@pytest.mark.parametrize(
    ("file", "symbol"),
    [
        ("_dynamo/resume_execution.py", "class ContinueExecutionCache"),
        ("_dynamo/resume_execution.py", "TORCH_DYNAMO_RESUME_IN_PREFIX"),
        ("_dynamo/symbolic_convert.py", "def create_call_resume_at"),
        ("_dynamo/symbolic_convert.py", "def break_graph_if_unsupported"),
        ("_dynamo/convert_frame.py", "def register_bytecode_hook"),
        ("_dynamo/output_graph.py", "def compile_subgraph"),
    ],
)
def test_named_symbols_exist(file, symbol):
    assert symbol in (Path(torch.__file__).parent / file).read_text()
