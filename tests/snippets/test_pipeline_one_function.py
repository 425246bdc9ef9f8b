"""Facts of "One function" and of the home page that no snippet asserts."""

HERE = "pipeline/one_function/"


def test_the_backward_graph_takes_what_the_forward_graph_saves(record):
    forward, backward = record(HERE + "aten_graphs.py").text.split("backward\n")
    assert "return (mul_1, primals_1)" in forward
    assert 'def forward(self, primals_1: "f32[512]", tangents_1: "f32[512]")' in backward


def test_the_log_names_the_guard_once(record):
    text = record(HERE + "recompile.py").text
    assert text.count("Recompiling function quick_gelu") == 1
    assert "tensor 'x' dtype mismatch. expected Float, actual Double" in text


def test_the_log_shows_every_stage(record):
    text = record(HERE + "logs.py").text
    assert (
        text.index("torch.sigmoid(") < text.index("torch.ops.aten.sigmoid.default(") < text.index("async_compile.cpp_")
    )


def test_a_third_size_is_a_hit(record):
    outcomes = [line.split()[2] for line in record("index/calls.py").text.splitlines()[2:7]]
    assert outcomes == ["compile", "hit", "recompile", "recompile", "hit"]
