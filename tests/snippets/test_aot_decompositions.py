"""Facts that the page "Decompositions" states."""

import inspect

import pytest
import torch
import torch._decomp
import torch._refs
import torch._refs.nn.functional
from torch._inductor import decomposition

HERE = "aot/decompositions/"


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (torch._decomp, "core_aten_decompositions"),
        (torch._decomp, "get_decompositions"),
        (torch._decomp, "register_decomposition"),
        (torch._refs, "native_layer_norm"),
        (torch._refs.nn.functional, "gelu"),
        (decomposition, "select_decomp_table"),
        (decomposition, "mm"),
    ],
)
def test_symbols_named_on_the_page_exist(module, name):
    assert hasattr(module, name)


def test_the_entry_for_mm_may_decline():
    assert "return NotImplemented" in inspect.getsource(decomposition.mm)


def test_gelu_becomes_five_pointwise_operators(record):
    gelu = record(HERE + "gelu.py")
    assert (gelu.values["before"], gelu.values["after"]) == (1, 5)
    before, after = gelu.text.split("class <lambda>")
    assert "torch._C._nn.gelu" in before and "torch.ops.aten" not in before
    assert "0.7071" in after and "erf" in after


def test_three_levels(record):
    text = record(HERE + "levels.py").text
    rows = [line.split() for line in text.splitlines()]
    assert ["core", "ATen", "sigmoid", "mul"] in rows
    assert ["Inductor", "amax", "sub", "exp", "sum", "div"] in rows
    assert ["Inductor", "var_mean", "add", "rsqrt", "sub", "mul"] in rows
    assert record(HERE + "levels.py").values["gelu_operators"] == 5


def test_tables(record):
    text = record(HERE + "tables.py").text
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.startswith("aten.")}
    assert rows["aten.gelu.default"] == ["False", "True"]
    assert rows["aten.addcmul.default"] == ["True", "False"]
    assert rows["aten.mm.default"] == ["False", "True"]


def test_a_missing_rule_and_its_fix(record):
    assert "no rule for aten.gelu.default" in record(HERE + "five_operators.py").raised
    assert "all operators known" in record(HERE + "five_operators_fix.py").text
    assert "hardswish.default" in record(HERE + "own.py").text
