"""Facts stated in docs/dynamo/unbacked.md."""

from pathlib import Path

import pytest
import torch


@pytest.mark.parametrize("name", ["item", "nonzero", "check"])
def test_one_graph(record, name):
    assert record(f"dynamo/unbacked/{name}.py").values["graph_count"] == 1


def test_kinds_of_symbols(record):
    assert record("dynamo/unbacked/symbols.py").values["unbacked_count"] == 1
    assert record("dynamo/unbacked/input_item.py").values["graph_count"] == 2


def test_a_branch_cannot_be_guarded(record):
    assert record("dynamo/unbacked/branch.py").raised


def test_settings(record):
    values = record("dynamo/unbacked/breaks.py").values
    assert (values["broken"], values["whole"], values["captured"]) == (3, 1, 1)


def test_a_negative_size_is_an_error(record):
    assert "RuntimeError: Runtime assertion failed for expression u0 >= 0" in record("dynamo/unbacked/item.py").text


def test_mark_unbacked(record):
    values = record("dynamo/unbacked/mark.py").values
    assert (values["dynamic_count"], values["unbacked_count"]) == (3, 1)


@pytest.mark.parametrize(
    ("file", "symbol"),
    [
        ("fx/experimental/symbolic_shapes.py", "def create_unbacked_symint"),
        ("fx/experimental/symbolic_shapes.py", "class GuardOnDataDependentSymNode"),
        ("fx/experimental/symbolic_shapes.py", "def has_free_unbacked_symbols"),
        ("__init__.py", "def _check"),
        ("_dynamo/config.py", "capture_scalar_outputs"),
        ("_dynamo/config.py", "capture_dynamic_output_shape_ops"),
        ("_dynamo/decorators.py", "def mark_unbacked"),
    ],
)
def test_named_symbols_exist(file, symbol):
    assert symbol in (Path(torch.__file__).parent / file).read_text()
