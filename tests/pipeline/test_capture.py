"""Facts about single compiles."""

import inspect
import re

import pytest
import torch
from torch.nn import functional as F

from compile_lessons import capture
from compile_lessons.pipeline.assembly import assembly, linked_assembly
from compile_lessons.pipeline.checks import CaptureError
from compile_lessons.reports.part_text import OUTSIDE
from zoo import several_breaks


def gelu_softmax(x, w):
    y = F.gelu(x @ w)
    return torch.softmax(y, -1).sum()


@pytest.fixture(scope="module")
def trained():
    torch.manual_seed(0)
    return capture(gelu_softmax)(torch.randn(8, 16, requires_grad=True), torch.randn(16, 16, requires_grad=True))


def branch(x):
    if x.sum() > 0:
        return x * 2
    return x


def test_dynamo_graph_is_torch_level_and_aten_comes_after(trained):
    graph = trained.graphs[0]
    assert [call.target for call in graph.dynamo.calls] == [
        "operator.matmul",
        "torch._C._nn.gelu",
        "torch.softmax",
        "sum",
    ]
    assert all(call.target.startswith(("aten.", "prims.")) for call in graph.joint.calls)
    assert graph.dynamo.node("matmul").tensors[0].shape == (8, 16)
    assert graph.dynamo.node("matmul").tensors[0].bytes == 8 * 16 * 4
    with pytest.raises(KeyError, match="no node 'nothing'"):
        graph.dynamo.node("nothing")


def test_decomposition_and_source_of_aten_nodes(trained):
    erf = trained.graphs[0].forward.node("erf")
    assert erf.decomposed_from == "aten.gelu.default"
    assert erf.sources == ("y",)
    assert trained.graphs[0].forward.node("mm").decomposed_from is None


def test_saved_and_recomputed(trained):
    graph = trained.graphs[0]
    saved = {value.name: value.bytes for value in graph.saved}
    assert saved["mm"] == 8 * 16 * 4
    assert graph.saved_bytes == sum(saved.values())
    assert {"erf", "exp"} <= set(graph.recomputed)
    assert not set(saved) & set(graph.recomputed)


def test_bytecode_is_the_function_s_and_dynamo_s(trained):
    frame = trained.frames[0]
    first = inspect.getsourcelines(gelu_softmax)[1]
    assert {i.line for i in frame.original if i.line} == {first, first + 1, first + 2}
    assert any("__compiled_fn" in i.argument for i in frame.rewritten)
    assert not any("__compiled_fn" in i.argument for i in frame.original)


def test_guards_and_their_tree(trained):
    tensors = {guard.source: guard for guard in trained.guards if guard.kind == "TENSOR_MATCH"}
    assert set(tensors) == {"L['x']", "L['w']"}
    assert tensors["L['x']"].words == "float32[8, 16], strides [16, 1], requires_grad=True"
    assert tensors["L['x']"].checks[0].startswith("check_tensor(L['x']")
    assert tensors["L['x']"].location.text == "y = F.gelu(x @ w)"
    tree = trained.frames[0].guard_tree
    assert {"L['x']", "L['w']"} <= {child.accessor for child in tree.children}


def checks(node):
    return [*node.checks, *(check for child in node.children for check in checks(child))]


def test_checks_of_the_tree_are_whole():
    frame = capture(lambda x, values: x * values["a#b"], until="dynamo")(torch.ones(4), {"a#b": 3}).frames[0]
    assert "L['values']['a#b'] == 3" in checks(frame.guard_tree)


def by_rows(x, w):
    if x.shape[0] > 3:  # more; than three
        return (x + 1) @ w
    return (x - 1) @ w


def test_conditions_on_sizes_are_in_the_tree_and_have_their_lines():
    frame = capture(by_rows, dynamic=True, until="dynamo")(torch.randn(5, 4), torch.randn(4, 6)).frames[0]
    sizes = {guard.checks[0]: guard for guard in frame.guards if guard.kind == "SHAPE_ENV"}
    assert {"4 <= L['x'].size()[0]", "L['w'].size()[0] == L['x'].size()[1]", "2 <= L['w'].size()[1]"} <= sizes.keys()
    assert set(frame.guard_tree.checks) >= sizes.keys()
    own = sizes["4 <= L['x'].size()[0]"]
    assert own.words == "4 <= L['x'].size()[0]"
    assert (own.location.file, own.location.function) == (__file__, "by_rows")
    assert own.location.line == inspect.getsourcelines(by_rows)[1] + 1
    assert own.location.text == "if x.shape[0] > 3:  # more; than three"
    # Torch's own rules, not that line: sizes that are equal are taken for one, and 0 and 1 are special.
    assert [guard.location for check, guard in sizes.items() if guard is not own] == [None] * (len(sizes) - 1)


def test_without_symbols_nothing_is_asked_of_sizes(trained):
    (sizes,) = (guard for guard in trained.guards if guard.kind == "SHAPE_ENV")
    assert (sizes.checks, sizes.location) == ((), None)
    assert sizes.words == "no condition on sizes"


def test_inductor_fuses_all_but_the_matmul(trained):
    forward = next(part for part in trained.graphs[0].inductor if part.direction == "forward")
    extern, generated = forward.kernels
    assert (extern.name, extern.kind, extern.flops) == ("extern_kernels.mm", "extern", 2 * 8 * 16 * 16)
    assert extern.bytes == 4 * (8 * 16 + 16 * 16 + 8 * 16)
    assert generated.kind == "cpp" and generated.loads == ("buf0",)
    assert 'extern "C"' in generated.source and generated.name in forward.output_code
    members = [name for node in forward.fused for name in node.members]
    assert sorted(members) == sorted(node.name for node in forward.ir)
    together = [decision for decision in forward.decisions if decision.fused]
    apart = [decision for decision in forward.decisions if not decision.fused]
    assert together and apart and all(decision.reason for decision in forward.decisions)


def test_a_convolution_s_flops_are_not_those_of_the_copies_around_it():
    with torch.no_grad():
        kernels = capture(torch.nn.Conv2d(3, 4, 3, padding=1), machine_code=False)(torch.randn(2, 3, 8, 8)).kernels
    flops = {kernel.kind: kernel.flops for kernel in kernels}
    assert flops["extern"] == 2 * (2 * 4 * 8 * 8) * (3 * 3 * 3)
    assert [kernel.flops for kernel in kernels if kernel.kind == "cpp"] == [None] * (len(kernels) - 1)


def test_nodes_left_apart_may_share_a_function():
    pipeline = capture(lambda x: ((x * 2).sum() > 0, x * 2), machine_code=False)(torch.randn(4, 4))
    part = pipeline.graphs[0].inductor[0]
    (kernel,) = part.kernels
    assert kernel.nodes == ("op0", "op1", "op2") and len(part.fused) == 3
    assert [(found.fused, found.kernel) for found in part.decisions] == [(False, kernel.name)] * len(part.decisions)
    assert {found.reason for found in part.decisions} == {"torch gave no reason"}


@pytest.mark.nightly  # compiles a second, large C++ file
def test_a_kernel_under_a_wrapper_in_cpp_is_cpp():
    pipeline = capture(lambda x: x.sin() * 2, options={"cpp_wrapper": True})(torch.randn(40))
    (kernel,) = pipeline.kernels
    assert kernel.kind == "cpp" and kernel.source.lstrip().startswith("#include")
    assert kernel.name in assembly(kernel)


def test_buffers_are_reused(trained):
    backward = next(part for part in trained.graphs[0].inductor if part.direction == "backward")
    assert [(reuse.old, reuse.kind) for reuse in backward.reuses] == [("mm", "in place")]


def test_output_code_is_the_file(trained):
    for part in trained.graphs[0].inductor:
        with open(part.output_file) as file:
            assert file.read() == part.output_code


def test_assembly_of_a_kernel(trained):
    extern, generated = trained.kernels[:2]
    assert "ret" in assembly(generated)
    with pytest.raises(ValueError, match="is extern"):
        assembly(extern)


def test_each_instruction_has_the_line_that_it_came_from():
    """``sin`` is a call of a library, whose name stands below the instruction."""
    (kernel,) = capture(lambda x: (x + 1).sin() * 2, machine_code=False)(torch.randn(512)).kernels
    text, lines = linked_assembly(kernel)
    instructions, source = text.splitlines(), kernel.source.splitlines()
    calls = [number for number, line in enumerate(instructions, 1) if re.search(r"R_\w+\s+\S*sin", line)]
    assert calls and {source[dict(lines)[number] - 1].count("sin(") for number in calls} == {1}
    assert 0 <= len(instructions) - len(lines) <= 8, "all but the names of functions, and what is in none of the lines"


def test_times_and_caches(trained):
    phases = {phase.name: phase for phase in trained.phases}
    assert phases["_compile.compile_inner"].calls == 1
    assert phases["compile_fx_inner"].calls == 2
    assert phases["_compile.compile_inner"].seconds > 0
    assert [found.cache for found in trained.caches] == ["AOTAutogradCache", "FxGraphCache", "FxGraphCache"]


def test_a_hit_is_seen_and_every_stage_is_still_there(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    x = torch.randn(3)

    def only_here(x):
        return x.tan() + 3

    first = capture(only_here, machine_code=False)(x)
    torch.compile(only_here)(x)
    second = capture(only_here, machine_code=False)(x)
    torch._dynamo.reset()
    assert {found.state for found in first.caches} == {"miss"}
    assert {found.state for found in second.caches} == {"hit"}
    assert len(second.kernels) == len(first.kernels) == 1


def states(pipeline):
    return [(found.cache, found.state) for found in pipeline.caches]


def test_caches_that_are_off_are_named_with_the_setting():
    def only_off(x):
        return x.sin()

    fx_off = capture(only_off, options={"fx_graph_cache": False}, machine_code=False)(torch.ones(3))
    assert states(fx_off) == [("AOTAutogradCache", "bypass"), ("FxGraphCache", "off")]
    assert fx_off.caches[0].key == "FX graph cache is not enabled"
    assert fx_off.caches[1].key == "torch._inductor.config.fx_graph_cache"
    with torch._functorch.config.patch(enable_autograd_cache=False):
        aot_off = capture(only_off, machine_code=False)(torch.ones(3))
    assert states(aot_off) == [("AOTAutogradCache", "off"), ("FxGraphCache", "miss")]
    assert aot_off.caches[0].key == "torch._functorch.config.enable_autograd_cache"
    with torch.compiler.config.patch(force_disable_caches=True):
        both_off = capture(only_off, machine_code=False)(torch.ones(3))
    assert states(both_off) == [("AOTAutogradCache", "off"), ("FxGraphCache", "off")]
    assert {found.key for found in both_off.caches} == {"torch.compiler.config.force_disable_caches"}


def test_a_bypass_has_torch_s_reason():
    @torch._dynamo.allow_in_graph
    def opaque(x):
        return x * 2

    aot, fx = capture(lambda x: opaque(x) + 1, machine_code=False)(torch.ones(3)).caches
    assert (aot.cache, aot.state) == ("AOTAutogradCache", "bypass") and "opaque" in aot.key
    assert fx.cache == "FxGraphCache" and fx.state in ("hit", "miss")


def test_several_breaks_and_resume_functions():
    pipeline = capture(several_breaks, until="dynamo")(torch.randn(4))
    assert len(pipeline.graphs) == 3 and len(pipeline.breaks) == 2
    assert [frame.resume for frame in pipeline.frames] == [False, True, True]
    assert pipeline.breaks[0].gb_id == "GB0025"
    assert pipeline.breaks[0].stack[-1].text == "torch._dynamo.graph_break()"
    assert pipeline.breaks[0].hints


def test_a_frame_without_a_graph_says_why():
    def broken_at_once(x):
        torch._dynamo.graph_break()
        return x + 1

    first, second = capture(broken_at_once, until="dynamo")(torch.ones(3)).frames
    assert first.graph is None and first.error is None and first.rewritten
    assert "no graph: it has no operation on tensors" in str(first)
    assert second.graph and second.why_no_graph == ""


def test_a_break_with_no_graph_after_it_counts():
    pipeline = capture(branch, until="dynamo")(-torch.ones(3))
    assert torch._dynamo.explain(branch)(-torch.ones(3)).graph_break_count == 0
    torch._dynamo.reset()
    assert len(pipeline.breaks) == 1 and len(pipeline.graphs) == 1
    assert pipeline.breaks[0].gb_type.startswith("Data-dependent")
    assert pipeline.breaks[0].stack[-1].text == "if x.sum() > 0:"
    assert [skip.function.startswith("torch_dynamo_resume_in_branch") for skip in pipeline.skips] == [True]
    assert pipeline.skips[0].reason


def test_a_skipped_frame_says_what_stopped_it():
    def break_in_a_loop(x):
        for _ in range(2):
            x = x + 1
            torch._dynamo.graph_break()
        return x

    pipeline = capture(break_in_a_loop, until="dynamo")(torch.ones(3))
    assert [skip.function for skip in pipeline.skips] == ["break_in_a_loop"]
    assert pipeline.skips[0].reason.startswith("Call to `torch._dynamo.graph_break()`")


def test_dynamic_sizes_are_symbols():
    pipeline = capture(lambda x: x * 2, dynamic=True, until="aot")(torch.randn(5, 3))
    shape = pipeline.graphs[0].forward.calls[0].tensors[0].shape
    assert all(isinstance(size, str) for size in shape)
    assert pipeline.graphs[0].forward.calls[0].tensors[0].bytes is None
    assert next(guard for guard in pipeline.guards if guard.kind == "SHAPE_ENV").checks


def stages(graph):
    return [(missing.stage, missing.reason) for missing in graph.missing]


def test_until_stops_early():
    x = torch.randn(4, requires_grad=True)
    early = capture(gelu_softmax_of, until="dynamo")(x)
    assert early.graphs[0].dynamo.calls and early.guards and early.comparison is None
    assert {reason for _, reason in stages(early.graphs[0])} == {"the capture stops after Dynamo"}
    later = capture(gelu_softmax_of, until="aot")(x).graphs[0]
    whole = capture(gelu_softmax_of, machine_code=False)(x).graphs[0]
    for part in ("joint", "forward", "backward"):
        early_nodes, all_nodes = getattr(later, part).nodes, getattr(whole, part).nodes
        assert [node.target for node in early_nodes] == [node.target for node in all_nodes]
    assert (later.saved, later.recomputed) == (whole.saved, whole.recomputed)
    assert {reason for _, reason in stages(later)} == {"the capture stops after AOTAutograd"}


def outline(pipeline):
    """What Inductor wrote, less the number of the compile."""
    parts = [part for graph in pipeline.graphs for part in graph.inductor]
    return [(part.direction, part.output_code.partition("\n")[2], part.kernels) for part in parts]


def test_without_machine_code_the_code_is_the_same_and_graphs_run_uncompiled(trained, tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    arguments = torch.randn(8, 16, requires_grad=True), torch.randn(16, 16, requires_grad=True)
    results = []
    pipeline = capture(lambda x, w: results.append(gelu_softmax(x, w)) or results[0], machine_code=False)(*arguments)
    torch._dynamo.reset()
    written = capture(gelu_softmax, machine_code=False)(*arguments)
    assert outline(written) == outline(trained) and written.failures == ()
    assert not list(tmp_path.rglob("*.main.so"))
    assert pipeline.failures == ()
    torch.testing.assert_close(results[0], gelu_softmax(*arguments))


def test_no_comparison_of_code_that_does_not_run():
    with pytest.raises(CaptureError, match="leave machine_code=False out"):
        capture(torch.sin, compare=True, machine_code=False)


def test_the_callable_runs_once():
    ran = []
    with torch.no_grad():
        capture(torch.compiler.disable(lambda x: ran.append(x)), until="dynamo")(torch.ones(2))
    assert len(ran) == 1


def gelu_softmax_of(x):
    return torch.softmax(F.gelu(x), -1)


def test_backward_keyword():
    x = torch.randn(4, requires_grad=True)
    graph = capture(torch.sin, backward=False, until="aot")(x).graphs[0]
    assert graph.backward and ("inductor backward", "the capture stops after AOTAutograd") in stages(graph)
    failed = capture(torch.sin, backward=True, until="dynamo")(torch.randn(4))
    assert "no output requires a gradient" in failed.failures[0].message
    assert x.grad is None


def test_an_input_that_is_a_result_of_earlier_operations():
    x = torch.randn(4, requires_grad=True)
    y = x * 2
    assert capture(lambda y: y.sin(), until="aot")(y).failures == ()
    y.sum().backward()  # its graph is still there
    assert x.grad.tolist() == [2.0] * 4


def generator(x):
    y = x + 1
    yield y * 2


def delegating(x):
    yield from generator(x)


class Yielding(torch.nn.Module):
    def forward(self, x):
        yield x * 2


@pytest.mark.parametrize(
    ("fn", "line"),
    [(generator, "def generator(x):"), (delegating, "def delegating(x):"), (Yielding(), "def forward(self, x):")],
)
def test_the_break_of_a_generator_is_at_the_users_function(fn, line):
    [found] = capture(fn, until="dynamo")(torch.ones(3)).breaks
    assert (found.gb_type, [place.text for place in found.stack]) == ("Attempt to trace generator", [line])
    assert OUTSIDE not in str(found)
