"""Facts that the page "Functionalization" states."""

import pytest
import torch._higher_order_ops.auto_functionalize as auto_functionalize
from torch._functorch._aot_autograd import collect_metadata_analysis, functional_utils, runtime_wrappers
from torch._subclasses import functional_tensor

HERE = "aot/functionalization/"


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (functional_tensor, "FunctionalTensorMode"),
        (collect_metadata_analysis, "run_functionalized_fw_and_collect_metadata"),
        (functional_utils, "gen_alias_from_base"),
        (runtime_wrappers, "AOTDedupeWrapper"),
        (runtime_wrappers, "AOTSyntheticBaseWrapper"),
        (auto_functionalize, "auto_functionalized_v2"),
    ],
)
def test_symbols_named_on_the_page_exist(module, name):
    assert hasattr(module, name)


def test_the_mutation_becomes_a_copy_at_the_end(record):
    text = record(HERE + "mutation.py").text
    assert text.index("aten.mul.Tensor") < text.index("aten.add.Tensor") < text.index("aten.copy_.default")
    assert "return (add,)" in text and "aten.mul_" not in text


def test_views(record):
    assert "select_scatter.default(mul, add, 0, 0)" in record(HERE + "through_view.py").text
    assert "row is a view of x: True" in record(HERE + "aliased_output.py").text


def test_one_tensor_twice_is_another_graph(record):
    same = record(HERE + "same_tensor.py")
    assert same.values["graphs"] == 2
    assert "def forward(self, arg0_1):" in same.text and "aten.mul.Tensor(add, 2)" in same.text


def test_an_undeclared_mutation_is_lost(record):
    lying = record(HERE + "lying_operator.py").values
    assert (lying["right"], lying["wrong"]) == (20, 10)
    honest = record(HERE + "honest_operator.py").text
    assert "auto_functionalized_v2" in honest and "tensor([20.])" in honest


def test_partial_overlap_is_not_guarded(record):
    overlap = record(HERE + "overlap.py").values
    assert (overlap["right"], overlap["reused"]) == ("[2.0, 2.0, 0.0, 0.0]", "[0.0, 0.0, 0.0, 0.0]")
