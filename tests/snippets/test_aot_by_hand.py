"""Facts that the page "AOTAutograd by hand" states."""

import pytest
from torch._dynamo.backends import common
from torch._functorch import aot_autograd, compilers

HERE = "aot/by_hand/"


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (aot_autograd, "aot_function"),
        (aot_autograd, "aot_module"),
        (aot_autograd, "aot_module_simplified"),
        (common, "AotAutograd"),
        (compilers, "nop"),
        (compilers, "ts_compile"),
    ],
)
def test_symbols_named_on_the_page_exist(module, name):
    assert hasattr(module, name)


def test_function_and_module(record):
    function = record(HERE + "function.py").text
    assert "forward: primals_1 primals_2" in function and "backward: pow_1 tangents_1" in function
    rows = [line.split() for line in record(HERE + "module.py").text.splitlines()]
    assert [row[-1] for row in rows[-3:]] == ["0.weight", "0.bias", "input"]


def test_without_guards_the_mean_is_wrong(record):
    unguarded = record(HERE + "no_guards.py")
    assert (unguarded.values["four"], unguarded.values["eight"]) == (1.0, 2.0)
    assert unguarded.text.count("compiling:") == 1 and "div.Tensor(sum_1, 4)" in unguarded.text
    guarded = record(HERE + "guarded.py")
    assert guarded.values["graphs"] == 2 and "mean of 8 ones: 1.0" in guarded.text


def test_a_compiler_for_each_direction(record):
    rows = [line.split() for line in record(HERE + "backend.py").text.splitlines()[-2:]]
    assert [row[0] for row in rows] == ["forward", "backward"]
    for row in rows:
        assert 0.6 < int(row[3]) / int(row[2]) < 0.75  # "two thirds"
