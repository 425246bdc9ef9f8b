"""Facts that the page "One function through the pipeline" states."""

HERE = "pipeline/one_function/"


def test_nothing_before_the_first_call(record):
    values = record(HERE + "first_call.py").values
    assert (values["after_compile"], values["after_first"], values["after_second"]) == (0, 1, 1)


def test_eager_runs_three_operators_and_keeps_two_tensors(record):
    eager = record(HERE + "eager.py")
    assert (eager.values["operators"], eager.values["tensors_saved"]) == (3, 2)
    names, notes = zip(*(line.partition(" ")[::2] for line in eager.text.splitlines()[:4]), strict=True)
    assert names == ("aten.mul.Tensor", "aten.sigmoid.default", "aten.detach.default", "aten.mul.Tensor")
    assert notes == ("", "", "(another name for its input)", "")


def test_bytecode_calls_the_compiled_function(record):
    before, after = record(HERE + "bytecode.py").text.split("\nafter\n")
    assert "sigmoid" in before and "sigmoid" not in after
    assert after.count("__compiled_fn_1") == 1
    assert record(HERE + "bytecode.py").values["entries"] == 1


def test_a_global_is_stored_after_the_graph(record):
    effect = record(HERE + "side_effect.py")
    assert effect.text.index("__compiled_fn") < effect.text.index("STORE_GLOBAL calls")
    assert effect.values["calls"] == 3


def test_dynamo_graph_holds_torch_calls(record):
    graph = record(HERE + "dynamo_graph.py")
    assert graph.values["operators"] == 3
    assert "torch.sigmoid(" in graph.text and "aten" not in graph.text
    assert 'L_x_: "f32[512]"' in graph.text
    assert graph.text.count("call_function") == 3


def test_guards(record):
    guards = record(HERE + "guards.py")
    assert (guards.values["tensor_guards"], guards.values["identity_guards"]) == (1, 2)
    for word in ("TENSOR_MATCH", "GLOBAL_STATE", "torch.float32", "requires_grad=False", "size=[512]", "stride=[1]"):
        assert word in guards.text


def test_forward_saves_only_the_input(record):
    graphs = record(HERE + "aten_graphs.py")
    assert (graphs.values["outputs"], graphs.values["tensors_saved"]) == (2, 1)
    forward, backward = graphs.text.split("backward\n")
    assert "return (mul_1, primals_1)" in forward
    assert "torch.ops.aten.sigmoid.default" in backward and "sigmoid_backward" not in backward
    assert "tangents_1" in backward


def test_one_kernel_forward_one_backward(record):
    kernel = record(HERE + "kernel.py")
    assert kernel.values["kernels"] == 2
    forward = kernel.text.split("cpp_fused_add")[0]
    assert forward.count("in_ptr0 +") == forward.count("store(out_ptr0") == 1 and "auto tmp5" in forward
    assert "cpp_fused_mul_sigmoid_0" in kernel.text and "sigmoid_backward_0" in kernel.text


def test_whole_code_checks_allocates_and_runs(record):
    whole = record(HERE + "whole_code.py")
    assert (whole.values["allocations"], whole.values["size_checks"]) == (1, 1)
    call = whole.text[whole.text.index("def call(self, args)") :]
    assert call.index("assert_size_stride") < call.index("empty_strided_cpu") < call.index("cpp_fused_mul_sigmoid_0(")


def test_channels_of_the_log(record):
    rows = [line.split() for line in record(HERE + "log_channels.py").text.splitlines()[2:]]
    stages = {row[0]: row[1].split("/")[1] for row in rows if len(row) == 3}
    assert stages == {
        "graph_code": "_dynamo",
        "guards": "_dynamo",
        "aot_graphs": "_functorch",
        "output_code": "_inductor",
    }
    assert [row for row in rows if len(row) == 2] == [["recompiles", "0"], ["graph_breaks", "0"]]


def test_first_call_is_much_slower(record):
    values = record(HERE + "times.py").values
    assert values["first_ms"] * 1e3 > 10 * values["later_us"]
    assert values["later_us"] < values["eager_us"]
    assert values["calls_to_pay"] > 1


def test_another_dtype_recompiles(record):
    recompile = record(HERE + "recompile.py")
    assert recompile.values["entries"] == 2
    assert recompile.text.count("Recompiling function quick_gelu") == 1
    assert "tensor 'x' dtype mismatch. expected Float, actual Double" in recompile.text


def test_one_dtype_does_not(record):
    assert record(HERE + "one_dtype.py").values["entries"] == 1
