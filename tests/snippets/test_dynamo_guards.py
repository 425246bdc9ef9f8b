"""The facts of docs/dynamo/guards.md."""

import importlib
import operator
import re
from pathlib import Path

import pytest
import torch


def test_each_guard_has_a_line(record):
    found = record("dynamo/guards/causes.py")
    assert found.values["guarded"] == 4 and "y = x * factor * gain" in found.text


def test_only_what_is_read_is_guarded(record):
    assert "guarded at first: G['numbers'] G['numbers'][0]" in record("dynamo/guards/unread.py").text


def test_types_named_on_the_page_are_made(record):
    names = ("causes", "kinds", "kinds_objects", "ambient")
    text = "".join(record(f"dynamo/guards/{name}.py").text for name in names)
    page = (Path(__file__).parents[2] / "docs/dynamo/guards.md").read_text().partition("## In the source")[0]
    kinds = re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", page)
    assert len(kinds) > 8 and [kind for kind in kinds if kind not in text] == []


def test_values_of_a_tensor_are_not_compared(record):
    lines = record("dynamo/guards/tensor_match.py").text.splitlines()[2:]
    assert [line.split()[-1] for line in lines] == ["no"] + ["yes"] * 7


def test_the_tree_has_the_path_to_the_item(record):
    text = record("dynamo/guards/guard_tree.py").text
    assert "G['settings']['gain'][0]" in text and "tensor_match" in text


def test_more_layers_more_checks(record):
    values = record("dynamo/guards/cost.py").values
    assert values["checks"] > values["small_checks"]


def test_filters(record):
    assert "gain = 4: [3.0, 3.0]" in record("dynamo/guards/filtered.py").text
    found = record("dynamo/guards/modules_filtered.py")
    assert found.values["after"] < found.values["before"]
    assert [line.split()[-1] for line in found.text.splitlines()] == ["True", "False"]


@pytest.mark.parametrize(
    "module, name",
    [
        ("_dynamo.guards", "GuardBuilder.TENSOR_MATCH"),
        ("_dynamo.guards", "GuardBuilder.CONSTANT_MATCH"),
        ("_dynamo.guards", "GuardManagerWrapper"),
        ("_dynamo.guards", "CheckFunctionManager"),
        ("_guards", "Guard"),
        ("_guards", "GuardSource"),
        ("_dynamo.source", "LocalSource"),
        ("_dynamo.source", "GlobalSource"),
        ("compiler", "skip_guard_on_globals_unsafe"),
        ("compiler", "skip_guard_on_inbuilt_nn_modules_unsafe"),
    ],
)
def test_symbols_named_on_the_page_exist(module, name):
    assert operator.attrgetter(name)(importlib.import_module(f"torch.{module}"))


def test_stub_of_the_tree_exists():
    stub = Path(torch.__file__).parent / "_C/_dynamo/guards.pyi"
    assert "class RootGuardManager" in stub.read_text()
