"""Facts that the home page states."""


def test_three_operators(record):
    graph = record("index/graph.py")
    assert graph.values["operators"] == 3
    assert graph.text.count(" = ") >= 4  # the argument and three operators
    assert "torch.sigmoid" in graph.text


def test_one_kernel_reads_once_and_writes_once(record):
    kernel = record("index/kernel.py")
    assert {name: kernel.values[name] for name in ("kernels", "reads", "writes")} == {
        "kernels": 1,
        "reads": 1,
        "writes": 1,
    }
    assert "exp(" in kernel.text
    assert "integer_div_error" not in kernel.text
