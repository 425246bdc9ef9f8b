"""Facts that the page "Functionalization" states."""

HERE = "aot/functionalization/"


def test_the_mutation_becomes_a_copy_at_the_end(record):
    kept, returned = record(HERE + "mutation.py").text.split("class <lambda>")[1:]
    assert kept.index("aten.mul.Tensor") < kept.index("aten.add.Tensor") < kept.index("aten.copy_.default")
    assert "return (add,)" in kept and "return (mul, add)" in returned
    assert "copy_" not in returned and "aten.mul_" not in kept + returned


def test_inductor_writes_into_the_input(record):
    kernel = record(HERE + "kernel.py")
    assert (kernel.values["kernels"], kernel.values["buffers"]) == (1, 1)
    assert "(arg0_1, buf0, arg0_1)" in kernel.text and "store(out_ptr2" in kernel.text


def test_opcheck_finds_the_lie(record):
    reason = " ".join(record(HERE + "opcheck.py").text.split())
    assert "Argument x is not defined as mutable but was mutated" in reason


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
