"""Facts stated in docs/dynamo/escape-hatches.md."""

from pathlib import Path

import pytest
import torch


def test_disable(record):
    assert record("dynamo/escape_hatches/disable.py").values["graph_count"] == 2
    values = record("dynamo/escape_hatches/recursive.py").values
    assert (values["with_recursion"], values["without_recursion"]) == (1, 2)


def test_allow_in_graph_is_traced_by_aot_autograd(record):
    assert "aten.relu" in record("dynamo/escape_hatches/allow.py").text


def test_wrong_results(record):
    values = record("dynamo/escape_hatches/wrong.py").values
    assert (values["right"], values["wrong"]) == (11.0, 3.0)
    assert record("dynamo/escape_hatches/nonstrict.py").values["wrong"] == 3.0
    assert record("dynamo/escape_hatches/custom_op.py").values["result"] == 11.0


def test_only_nonstrict_trace_takes_containers(record):
    assert "torch.* op returned non-Tensor" in record("dynamo/escape_hatches/nonstrict.py").text


def test_is_compiling(record):
    assert record("dynamo/escape_hatches/is_compiling.py").text.count("checking") == 1


def test_substitute(record):
    assert record("dynamo/escape_hatches/substitute.py").values["graph_count"] == 1


def test_suppress_errors(record):
    assert "BackendCompilerFailed" in record("dynamo/escape_hatches/suppress.py").text


@pytest.mark.parametrize(
    ("file", "symbol"),
    [
        ("_dynamo/decorators.py", "def disable"),
        ("_dynamo/decorators.py", "def allow_in_graph"),
        ("_dynamo/decorators.py", "def nonstrict_trace"),
        ("_dynamo/decorators.py", "def substitute_in_graph"),
        ("compiler/__init__.py", "def is_compiling"),
        ("compiler/__init__.py", "def allow_in_graph"),
        ("_dynamo/convert_frame.py", "suppress_errors"),
    ],
)
def test_named_symbols_exist(file, symbol):
    assert symbol in (Path(torch.__file__).parent / file).read_text()
