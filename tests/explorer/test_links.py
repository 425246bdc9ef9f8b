"""Lines link as the facts say, in both directions, and what no fact links is not linked."""

import pytest
import torch
from reach import Reach

import programs
from compile_lessons.explorer.links import Link, Stage, links
from compile_lessons.explorer.panes import panes
from compile_lessons.facts import Assembly, Pipeline
from written import capture

FILE = programs.__file__


def reach(pipeline: Pipeline, start: Link) -> set[Link]:
    return Reach(links(pipeline)).of([start])


def names(found: set[Link], stage: Stage, graph: str) -> set[str]:
    return {link.name for link in found if (link.stage, link.graph) == (stage, graph)}


def numbers(found: set[Link], stage: Stage, graph: str) -> set[int]:
    return {link.line for link in found if (link.stage, link.graph) == (stage, graph)}


@pytest.mark.parametrize("name", ["broken", "step", "dynamic", "on_gpu"])
def test_a_line_of_source_leads_to_what_the_facts_say_that_it_became(name: str, request) -> None:
    pipeline: Pipeline = request.getfixturevalue(name)
    assert pipeline.failures == () and pipeline.lines.lines
    for entry in pipeline.lines.lines:
        found = reach(pipeline, Link("python", "", entry.file, entry.line))
        graph = next(frame.graph for frame in pipeline.frames if frame.id == entry.frame)
        assert numbers(found, "bytecode", entry.frame) == set(entry.bytecode)
        for stage in ("dynamo", "forward", "backward"):
            part = getattr(graph, stage, None)
            calls = {node.name for node in part.calls} if part else set()
            assert names(found, stage, entry.frame) & calls == set(getattr(entry, stage))
        for lowered in graph.inductor if graph else ():
            place = f"{entry.frame} {lowered.direction}"
            mine = [code.split(":") for code in entry.code]
            code = {int(line) for direction, line in mine if direction == lowered.direction}
            assert code <= numbers(found, "code", place)
            kernels = {f"{lowered.direction}:{kernel}" for kernel in names(found, "launch", place)}
            assert kernels == {kernel for kernel in entry.kernels if kernel.startswith(f"{lowered.direction}:")}


def test_a_break_separates_the_graphs(broken: Pipeline) -> None:
    sin = programs.line(programs.with_a_break, "torch.sin")
    found = reach(broken, Link("python", "", FILE, sin))
    assert names(found, "forward", "0/0") == {"sin", "add"}
    assert not names(found, "forward", "1/0")
    at_break = programs.line(programs.with_a_break, "graph_break")
    assert reach(broken, Link("break", "0/0", "", 1)) == {
        Link("break", "0/0", "", 1),
        Link("python", "", FILE, at_break),
    }
    cos = Link("forward", "1/0", "cos")
    back = reach(broken, cos)
    assert numbers(back, "python", "") == {programs.line(programs.with_a_break, "torch.cos")}
    assert names(back, "dynamo", "1/0") == {"cos"} and names(back, "kernel", "1/0 inference") == {"cpp_fused_cos_mul_0"}


def test_the_joint_graph_leads_to_both_parts(step: Pipeline) -> None:
    found = reach(step, Link("joint", "0/0", "relu"))
    assert names(found, "forward", "0/0") == {"relu"}
    assert names(found, "backward", "0/0") == {"relu"}  # recomputed
    assert step.graphs[0].recomputed == ("relu",)
    saved = {value.name for value in step.graphs[0].saved}
    assert saved == {"mm", "permute"}
    for name in saved:
        assert Link("backward", "0/0", name) in reach(step, Link("forward", "0/0", name))


def test_a_backward_kernel_leads_to_the_line_and_not_to_the_forward_kernel(step: Pipeline) -> None:
    backward = next(part for part in step.graphs[0].inductor if part.direction == "backward")
    kernel = next(kernel for kernel in backward.kernels if kernel.source)
    found = reach(step, Link("kernel", "0/0 backward", kernel.name))
    assert names(found, "post_grad", "0/0 backward") >= set(kernel.origins)
    assert names(found, "ir", "0/0 backward") == set(kernel.nodes)
    assert programs.line(programs.step, "relu") in numbers(found, "python", "")
    assert not names(found, "launch", "0/0 forward")


def test_a_guard_on_a_size_leads_to_the_line_that_caused_it(dynamic: Pipeline) -> None:
    asked = programs.line(programs.of_any_size, "shape[0] > 4")
    found = reach(dynamic, Link("python", "", FILE, asked))
    guards = dynamic.frames[0].guards
    located = {number for number, guard in enumerate(guards, 1) if guard.location and guard.location.line == asked}
    assert located and numbers(found, "guard", "0/0") == located


def test_each_launch_of_a_kernel_is_on_its_own_line() -> None:
    pipeline = capture(programs.twice)(torch.randn(4, 4), torch.randn(4, 4))
    code = pipeline.graphs[0].inductor[0].output_code.splitlines()
    lines = []
    for text in ("a = (x @ w).relu()", "return (a @ w).relu()"):
        found = reach(pipeline, Link("python", "", FILE, programs.line(programs.twice, text)))
        lines.append([code[line - 1].split("(")[0].strip() for line in sorted(numbers(found, "code", "0/0 inference"))])
        assert len(names(found, "ir", "0/0 inference")) == 2
    assert lines == [["extern_kernels.mm", "cpp_fused_relu_0"]] * 2
    kernel = reach(pipeline, Link("kernel", "0/0 inference", "cpp_fused_relu_0"))
    assert len(numbers(kernel, "python", "")) == 2
    assert numbers(kernel, "launch", "0/0 inference") == {2, 4}


def test_bytecode_that_dynamo_wrote_has_no_link(broken: Pipeline) -> None:
    written = [i.offset for frame in broken.frames[:1] for i in frame.rewritten if i.line is None]
    assert written
    for offset in written:
        link = Link("rewritten", "0/0", "", offset)
        assert reach(broken, link) == {link}


def all_links(pipeline: Pipeline) -> set[Link]:
    return {link for pane in panes(pipeline) for part in pane.parts for line in part.lines for link in line.links}


@pytest.mark.parametrize("name", ["broken", "step", "dynamic", "on_gpu"])
def test_every_link_is_on_a_line_but_the_steps_between(name: str, request) -> None:
    pipeline: Pipeline = request.getfixturevalue(name)
    linked = {link for pair in links(pipeline) for link in pair}
    hidden = linked - all_links(pipeline)
    assert {link.stage for link in hidden} == {"launch", "kernel"}
    assert all(link.line == 0 for link in hidden if link.stage == "kernel")


def test_machine_code_leads_through_triton_to_the_line(on_gpu: Pipeline) -> None:
    stored = 0
    for lowered in on_gpu.graphs[0].inductor:
        graph = f"0/0 {lowered.direction}"
        for kernel in lowered.gpu_kernels:
            source = kernel.source.splitlines()
            (store,) = [number for number, line in enumerate(source, 1) if "tl.store(" in line]
            found = reach(on_gpu, Link("kernel", graph, kernel.name, store))
            for stage, mark in (
                ("ttir", "tt.store"),
                ("ttgir", "tt.store"),
                ("llir", "st.global"),
                ("ptx", "st.global"),
                ("sass", "STG"),
            ):
                text = getattr(kernel.code, stage).splitlines()
                lines = {number for number, line in enumerate(text, 1) if mark in line and "//" not in line}
                assert lines and lines <= numbers(found, stage, graph), stage
                stored += 1
                for number in lines:
                    back = reach(on_gpu, Link(stage, graph, kernel.name, number))
                    assert store in numbers(back, "kernel", graph)
                    assert programs.line(programs.step, "relu") in numbers(back, "python", "")
            # Triton's own forms name the lines that the facts have for PTX.
            triton = {mapped.triton for mapped in kernel.code.lines if mapped.ptx}
            above = {a.line for a, b in links(on_gpu) if b.stage == "llir" and b.name == kernel.name}
            assert above and above <= {mapped.triton for mapped in kernel.code.lines} and triton & above
    assert stored == 10


def test_instructions_lead_to_their_line_of_c_plus_plus(step: Pipeline) -> None:
    """The text of the instructions says nothing: the pairs do."""
    kernel = next(kernel for kernel in step.kernels if kernel.source)
    last = kernel.source.rstrip().count("\n") + 1
    assemblies = {kernel.source: Assembly("<f>:\nadd\nret", ((2, 3), (3, last)))}
    pairs = [pair for pair in links(step, assemblies) if pair[1].stage == "assembly"]
    assert [(above.line, below.line) for above, below in pairs] == [(3, 2), (last, 3)]
    assert {(above.stage, above.name, below.name) for above, below in pairs} == {("kernel", kernel.name, kernel.name)}
    (part,) = next(pane for pane in panes(step, assemblies) if pane.name == "assembly").parts
    assert [line.text for line in part.lines] == ["<f>:", "add", "ret"]
    assert all(pane.name != "assembly" for pane in panes(step))
