"""Bodies of operators such as ``torch.cond``: names in them are told from those of the graph around them."""

import inspect

import pytest
import torch
from torch._higher_order_ops.while_loop import while_loop

from written import capture


def branches(x):
    y = x.sin() * 2

    def yes(v):
        return (v.cos() @ v) * 3

    def no(v):
        return v.exp() @ v

    z = torch.cond(y.sum() > 0, yes, no, (y,))
    return z @ y


def loop(x):
    def unfinished(i, v):
        return i.sum() < 3

    def body(i, v):
        return i + 1, v @ v

    return while_loop(unfinished, body, (torch.zeros(1), x))


def nested(x):
    def outer(v):
        return torch.cond(
            v.max() > 1,
            lambda u: u.cos(),
            lambda u: u.exp(),
            (v,),
        )

    return torch.cond(x.sum() > 0, outer, lambda v: v.tan(), (x,))


@pytest.fixture(scope="module")
def pipeline():
    return capture(branches)(torch.randn(4, 4))


@pytest.fixture(scope="module")
def part(pipeline):
    return pipeline.graphs[0].inductor[0]


def entry(pipeline, function, text):
    source, first = inspect.getsourcelines(function)
    (number,) = (first + i for i, line in enumerate(source) if line.strip() == text)
    (found,) = pipeline.lines.at(number)
    return found


def test_the_post_grad_graph_is_the_whole_graph(part):
    assert [node.name for node in part.post_grad.calls][:2] == ["sin", "mul"]
    assert [sub.name for sub in part.post_grad.subgraphs] == ["true_graph_0", "false_graph_0"]


def test_origins_are_named_after_their_body(part):
    origins = {node.name: set(node.origins) for node in part.ir}
    assert origins["true_graph_0_op0"] == {"true_graph_0.cos"}
    assert origins["true_graph_0_op1"] == {"true_graph_0.mm"}
    assert origins["false_graph_0_op1"] == {"false_graph_0.mm"}
    assert origins["op5"] == {"mm"}
    mms = [kernel.origins for kernel in part.kernels if kernel.name == "extern_kernels.mm"]
    assert set(mms) == {("true_graph_0.mm",), ("false_graph_0.mm",), ("mm",)}


def test_each_line_has_what_was_made_of_it(pipeline):
    yes = entry(pipeline, branches, "return (v.cos() @ v) * 3")
    assert yes.forward == ("true_graph_0.cos", "true_graph_0.mm", "true_graph_0.mul")
    assert len(yes.dynamo) == 3 and all(name.startswith("cond_true_0.") for name in yes.dynamo)
    assert yes.buffers == tuple(f"inference:true_graph_0_buf{i}" for i in range(3))
    assert entry(pipeline, branches, "return v.exp() @ v").forward == ("false_graph_0.exp", "false_graph_0.mm")
    last = entry(pipeline, branches, "return z @ y")
    assert (last.forward, last.buffers, last.kernels) == (
        ("mm",),
        ("inference:buf5",),
        ("inference:extern_kernels.mm",),
    )
    assert pipeline.lines.unknown == ()


def test_calls_in_bodies_are_found_in_the_output_code(part):
    code = part.output_code.splitlines()
    called = {line.node: code[line.line - 1].strip() for line in part.code_lines}
    assert called["true_graph_0.mm"].startswith("extern_kernels.mm(true_graph_0_buf0, ")
    assert called["false_graph_0.mm"].startswith("extern_kernels.mm(false_graph_0_buf0, ")
    assert called["mm"].endswith("out=buf5)")
    assert called["true_graph_0.cos"].startswith("cpp_fused_cos")


def test_kernels_in_bodies_have_bytes_and_flops(part):
    assert {kernel.bytes for kernel in part.kernels if kernel.kind == "extern"} == {3 * 4 * 4 * 4}
    assert {kernel.flops for kernel in part.kernels if kernel.kind == "extern"} == {2 * 4 * 4 * 4}
    assert all(kernel.bytes for kernel in part.kernels)


def test_a_value_that_lives_in_one_kernel_of_a_body_is_not_stored():
    def softmax_or_not(x):
        return torch.cond(x.sum() > 0, lambda v: v.softmax(-1), lambda v: v.exp(), (x,))

    part = capture(softmax_or_not)(torch.randn(8, 8)).graphs[0].inductor[0]
    inside = next(kernel for kernel in part.kernels if "true_graph_0.sub" in " ".join(kernel.origins))
    alone = capture(lambda x: x.softmax(-1))(torch.randn(8, 8)).kernels[0]
    assert inside.stores == tuple(f"true_graph_0_{name}" for name in alone.stores)
    assert inside.bytes == alone.bytes


def test_a_loop():
    pipeline = capture(loop)(torch.eye(4))
    (mm,) = (kernel for kernel in pipeline.kernels if kernel.kind == "extern")
    assert mm.origins == ("while_loop_body_graph_0.mm",) and mm.flops == 2 * 4 * 4 * 4
    assert "inference:extern_kernels.mm" in entry(pipeline, loop, "return i + 1, v @ v").kernels
    assert len(entry(pipeline, loop, "return i.sum() < 3").code) == 1


def test_bodies_in_bodies():
    pipeline = capture(nested)(torch.randn(4))
    cos = entry(pipeline, nested, "lambda u: u.cos(),")
    assert cos.forward == ("true_graph_0.true_graph_0.cos",)
    assert len(cos.kernels) == len(cos.code) == 1
    assert entry(pipeline, nested, "lambda u: u.exp(),").kernels != cos.kernels


def test_what_a_region_recomputes():
    region = torch.compiler.nested_compile_region(lambda x: x.sin().cos())
    (graph,) = capture(lambda x: region(region(x)).sum())(torch.randn(8, requires_grad=True)).graphs
    names = [body.name for body in graph.backward.subgraphs]
    assert names and graph.recomputed == tuple(f"{name}.sin" for name in names)
    for name, body in zip(names, graph.backward.subgraphs, strict=True):
        half = next(found.graph for found in graph.forward.subgraphs if found.name == name.replace("_bw_", "_fw_"))
        assert half.node("sin").target == body.graph.node("sin").target == "aten.sin.default"
