"""The mapping from lines to stages says what torch's data says, and nothing else."""

import inspect

import torch

from written import capture


def two_lines(x, w):
    y = x @ w
    return torch.tanh(y) + 1


def test_both_ways():
    pipeline = capture(two_lines)(torch.randn(4, 4, requires_grad=True), torch.randn(4, 4))
    first = inspect.getsourcelines(two_lines)[1]
    (matmul,), (tanh,) = pipeline.lines.at(first + 1), pipeline.lines.at(first + 2)
    assert matmul.text == "y = x @ w"
    assert matmul.dynamo == ("y",) and "mm" in matmul.forward
    assert matmul.kernels[0] == "forward:extern_kernels.mm"
    assert "forward:buf0" in matmul.buffers
    assert set(tanh.forward) == {"tanh", "add"} and len(tanh.dynamo) == 2
    assert not set(matmul.bytecode) & set(tanh.bytecode)
    offsets = {i.offset for i in pipeline.frames[0].original if i.line == first + 1}
    assert set(matmul.bytecode) == offsets

    forward = next(part for part in pipeline.graphs[0].inductor if part.direction == "forward")
    code = forward.output_code.splitlines()
    (number,) = (int(mapped.split(":")[1]) for mapped in matmul.code if mapped.startswith("forward:"))
    assert code[number - 1].strip().startswith("extern_kernels.mm(")


def test_each_call_of_a_kernel_is_of_its_own_line():
    def twice(x, w):
        a = (x @ w).relu()
        return (a @ w).relu()

    pipeline = capture(twice)(torch.randn(4, 4), torch.randn(4, 4))
    part = pipeline.graphs[0].inductor[0]
    assert [kernel.name for kernel in part.kernels] == ["extern_kernels.mm", "cpp_fused_relu_0"] * 2
    code = part.output_code.splitlines()
    mapped = [(line.node, line.location.text, code[line.line - 1].strip()) for line in part.code_lines]
    first, second = "a = (x @ w).relu()", "return (a @ w).relu()"
    assert mapped == [
        ("mm", first, "extern_kernels.mm(arg0_1, arg1_1, out=buf0)"),
        ("relu", first, "cpp_fused_relu_0(buf1)"),
        ("mm_1", second, "extern_kernels.mm(buf1, arg1_1, out=buf2)"),
        ("relu_1", second, "cpp_fused_relu_0(buf3)"),
    ]


def with_a_break(x):
    a = x.sin()
    torch._dynamo.graph_break()
    return a.cos()


def test_bytecode_that_dynamo_wrote_is_of_no_line():
    pipeline = capture(with_a_break)(torch.randn(3))
    before, after = pipeline.frames
    number = inspect.getsourcelines(with_a_break)[1]
    assert {i.line for i in before.original} == set(range(number, number + 4))
    # A resume function holds all of the function; what is before the place it goes on at never runs.
    lines = [i.line for i in after.original]
    first = next(i for i, line in enumerate(lines) if line is not None)
    assert lines[first:] == [number + 2] + [number + 3] * (len(lines) - first - 1)
    assert any("sin" in i.argument for i in after.original[:first])
    assert any("cos" in i.argument for i in after.original[first:])
    assert {len(entry.bytecode) for entry in pipeline.lines.at(number + 1)} == {
        sum(i.line == number + 1 for i in before.original)
    }
    # Of the rewritten code only the call that broke the graph is the user's.
    assert {i.line for i in before.rewritten[1:]} == {None, number + 2}
    assert all(i.opname.startswith("CALL") for i in before.rewritten[1:] if i.line)
    assert not any("__compiled_fn" in i.argument for i in after.rewritten if i.line)


def test_unknown_origins_are_named():
    def made_up(x):
        return x + 1

    pipeline = capture(made_up)(torch.randn(3))
    known = {name for line in pipeline.lines.lines for name in line.forward}
    unknown = {mapped.split(": ")[1] for mapped in pipeline.lines.unknown if "inference" in mapped}
    assert known | unknown == {node.name for node in pipeline.graphs[0].forward.calls}
