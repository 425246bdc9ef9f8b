"""Facts that the page "The joint graph" states."""

HERE = "aot/joint_graph/"


def test_the_joint_graph_has_primals_and_tangents(record):
    joint = record(HERE + "joint.py")
    assert joint.values["forward_outputs"] == 1
    assert "[tanh, None, mm_1]" in joint.text
    assert 'tangents_1: "f32[4, 2]"' in joint.text
    assert joint.text.index(" tanh:") < joint.text.index(" tanh_backward:")


def test_two_tensors_cross_the_cut(record):
    cut = record(HERE + "cut.py")
    assert cut.values["saved_count"] == 2
    assert "detach_1 [4, 2] aten.detach.default [saved: in both]" in cut.text


def test_the_backward_graph_waits(record):
    lines = record(HERE + "when.py").text.splitlines()
    assert [line.strip() for line in lines if line.startswith("   ")] == [
        "compiling the forward graph",
        "compiling the backward graph",
        "compiling the inference graph",
        "compiling the inference graph",
    ]


def test_the_log_shows_the_joint_graph(record):
    text = record(HERE + "logs.py").text
    assert "Joint graph" in text and "f32[2][1]cpu" in text
    assert "aten.add.Tensor(mul_2, mul_1)" in text


def test_double_backward_raises_and_func_grad_does_not(record):
    raised = record(HERE + "second_derivative.py")
    assert "double backward" in raised.raised and "27" in raised.text and "BackwardBackward" in raised.text
    assert "18" in record(HERE + "second_derivative_inside.py").text
