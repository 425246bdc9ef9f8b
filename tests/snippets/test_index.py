"""Facts that the home page states."""


def test_three_operators(record):
    graph = record("index/graph.py")
    assert graph.values["operators"] == 3
    assert graph.text.count(" = ") >= 4  # the argument and three operators
    assert "torch.sigmoid" in graph.text


def test_a_third_size_compiles_nothing(record):
    again = record("index/again.py")
    outcomes = [line.split()[-1] for line in again.text.splitlines()[2:]]
    assert outcomes == ["compiles", "reuses", "compiles", "compiles", "reuses"]
    assert again.values["versions"] == 3


def test_what_forward_keeps_is_what_backward_takes(record):
    forward, backward = record("index/backward.py").text.split("def backward")
    assert "return (mul_1, primals_1, sigmoid, detach)" in forward
    assert backward.startswith("(self, primals_1, sigmoid, detach, tangents_1)")


def test_one_kernel_reads_once_and_writes_once(record):
    kernel = record("index/kernel.py")
    assert {name: kernel.values[name] for name in ("kernels", "reads", "writes")} == {
        "kernels": 1,
        "reads": 1,
        "writes": 1,
    }
    assert "exp(" in kernel.text
    assert "integer_div_error" not in kernel.text
