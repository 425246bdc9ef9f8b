"""Which line of one stage came from which line of another, as far as the facts record it. Nothing is guessed.

A pair ``(above, below)`` says that ``below`` was made from ``above``. What a line came from, and what became of it,
follows from the pairs: all that leads to the line, and all that the line leads to.

Torch names no origin between AOTAutograd's graphs. A node of a later graph is taken for the same node only if it has
the name, the operator, the source line and the Dynamo nodes of the node above: names are unique in a graph, and torch's
partitioner and passes keep the name of a node that they keep.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from compile_lessons.explorer.triton_locations import llvm_lines, ttir_lines
from compile_lessons.facts import (
    Assembly,
    CompiledGraph,
    Frame,
    GpuKernel,
    Graph,
    InductorGraph,
    Location,
    Node,
    Pipeline,
    qualified_nodes,
)

#: The stages in the order of a compile. ``launch`` is one call of a kernel, ``fused`` a scheduler node after fusion.
Stage = Literal[
    "python",
    "bytecode",
    "rewritten",
    "guard",
    "break",
    "dynamo",
    "joint",
    "forward",
    "backward",
    "post_grad",
    "ir",
    "fused",
    "launch",
    "code",
    "kernel",
    "assembly",
    "ttir",
    "ttgir",
    "llir",
    "ptx",
    "sass",
]


@dataclass(frozen=True, order=True)
class Link:
    """A place that lines of a stage stand for.

    ``graph`` is the compile id (``0/0``), with the direction from the ATen graphs on (``0/0 forward``); empty for
    Python, whose ``name`` is the file. ``name`` is the node, operation or kernel, empty for what has only a number.
    ``line`` counts from 1, for bytecode it is the offset, and 0 stands for all of what ``name`` names.
    """

    stage: Stage
    graph: str
    name: str
    line: int = 0


Pair = tuple[Link, Link]

#: The assembly of C++ kernels, by their sources.
Assemblies = Mapping[str, Assembly]


def links(pipeline: Pipeline, assemblies: Assemblies | None = None) -> tuple[Pair, ...]:
    """Return all pairs of a pipeline, each once, in the order of the stages."""
    pairs = [pair for frame in pipeline.frames for pair in _of_frame(frame)]
    pairs += _of_assemblies(pipeline, assemblies or {})
    return tuple(dict.fromkeys(pairs))


def assemblies_by_kernel(pipeline: Pipeline, assemblies: Assemblies) -> Iterator[tuple[str, str, Assembly]]:
    """Yield the graph, the name and the assembly of each kernel that has one."""
    for frame in pipeline.frames:
        for lowered in frame.graph.inductor if frame.graph is not None else ():
            for name, source in sources_by_kernel(lowered).items():
                if source in assemblies:
                    yield graph_name(frame, lowered.direction), name, assemblies[source]


def _of_assemblies(pipeline: Pipeline, assemblies: Assemblies) -> Iterator[Pair]:
    for graph, name, assembly in assemblies_by_kernel(pipeline, assemblies):
        yield from (
            (Link("kernel", graph, name, source), Link("assembly", graph, name, line))
            for line, source in assembly.lines
        )


def python(location: Location) -> Link:
    return Link("python", "", location.file, location.line)


def stage_of(graph: Graph) -> Stage:
    return "forward" if graph.kind == "inference" else graph.kind


def graph_name(frame: Frame, direction: str) -> str:
    return f"{frame.id} {direction}"


def _of_frame(frame: Frame) -> Iterator[Pair]:
    stages: tuple[tuple[Stage, tuple], ...] = (("bytecode", frame.original), ("rewritten", frame.rewritten))
    for stage, instructions in stages:
        for instruction in instructions:
            if instruction.line is not None:
                above = Link("python", "", frame.file, instruction.line)
                yield above, Link(stage, frame.id, "", instruction.offset)
    for number, guard in enumerate(frame.guards, 1):
        if guard.location is not None:
            yield python(guard.location), Link("guard", frame.id, "", number)
    for number, graph_break in enumerate(frame.breaks, 1):
        for location in graph_break.stack:
            yield python(location), Link("break", frame.id, "", number)
    if frame.graph is not None:
        yield from _of_graph(frame, frame.graph)


def _of_graph(frame: Frame, compiled: CompiledGraph) -> Iterator[Pair]:
    for graph in compiled.stages:
        yield from _traced(frame, graph)
    for later in filter(None, (compiled.forward, compiled.backward)):
        if compiled.joint is not None:
            yield from _same_nodes(frame, compiled.joint, later)
    if compiled.forward is not None and compiled.backward is not None:
        placeholders = {name for name, node in qualified_nodes(compiled.backward) if node.op == "placeholder"}
        for saved in compiled.saved:
            if saved.name in placeholders:
                yield Link("forward", frame.id, saved.name), Link("backward", frame.id, saved.name)
    for lowered in compiled.inductor:
        aten = compiled.backward if lowered.direction == "backward" else compiled.forward
        yield from _traced(frame, lowered.post_grad, lowered.direction)
        if aten is not None:
            yield from _same_nodes(frame, aten, lowered.post_grad, lowered.direction)
        yield from _of_inductor(graph_name(frame, lowered.direction), lowered)


def node_link(frame: Frame, graph: Graph, name: str, direction: str = "") -> Link:
    """Return the place of a node. Only the post-grad graph is named after its direction, as a frame has several."""
    return Link(stage_of(graph), graph_name(frame, direction) if direction else frame.id, name)


def _traced(frame: Frame, graph: Graph, direction: str = "") -> Iterator[Pair]:
    """Yield what the nodes were traced from: the user's line, and nodes of the Dynamo graph."""
    for name, node in qualified_nodes(graph):
        below = node_link(frame, graph, name, direction)
        if node.location is not None:
            yield python(node.location), below
        if graph.kind != "dynamo":
            yield from ((Link("dynamo", frame.id, source), below) for source in node.sources)


def _same_nodes(frame: Frame, above: Graph, below: Graph, direction: str = "") -> Iterator[Pair]:
    before = dict(qualified_nodes(above))
    for name, node in qualified_nodes(below):
        if name in before and node.op != "output" and _identity(before[name]) == _identity(node):
            yield node_link(frame, above, name), node_link(frame, below, name, direction)


def _identity(node: Node) -> tuple[object, ...]:
    return node.op, node.target, node.location, node.sources


def _of_inductor(graph: str, lowered: InductorGraph) -> Iterator[Pair]:
    for operation in lowered.ir:
        for origin in operation.origins:
            yield Link("post_grad", graph, origin), Link("ir", graph, operation.name)
    groups = {member: fused.name for fused in lowered.fused for member in fused.members if len(fused.members) > 1}
    for member, group in groups.items():
        yield Link("ir", graph, member), Link("fused", graph, group)
    lines = _call_lines(lowered)
    for number, kernel in enumerate(lowered.kernels, 1):
        launch = Link("launch", graph, kernel.name, number)
        for name in kernel.nodes:
            yield Link("ir", graph, name), launch
            if name in groups:
                yield Link("fused", graph, groups[name]), launch
        if number in lines:
            yield launch, Link("code", graph, "", lines[number])
            if kernel.source:
                yield Link("code", graph, "", lines[number]), Link("kernel", graph, kernel.name)
        if kernel.source:
            yield launch, Link("kernel", graph, kernel.name)
    for line in lowered.code_lines:
        if line.node:
            yield Link("post_grad", graph, line.node), Link("code", graph, "", line.line)
        elif line.location is not None:  # from a trace
            yield python(line.location), Link("code", graph, "", line.line)
    for name, source in sources_by_kernel(lowered).items():
        yield from ((Link("kernel", graph, name), Link("kernel", graph, name, line)) for line in _body(name, source))
    for gpu_kernel in lowered.gpu_kernels:
        yield from _of_gpu_kernel(graph, gpu_kernel)


def _call_lines(lowered: InductorGraph) -> dict[int, int]:
    """Return the line of the output code that makes each launch, both counted from 1.

    The facts name the nodes of each line. Launches of one kernel with the same nodes are in the order of the lines.
    """
    code = lowered.output_code.splitlines()
    nodes: dict[int, list[str]] = defaultdict(list)
    for line in lowered.code_lines:
        nodes[line.line].append(line.node)
    launches: dict[tuple[str, frozenset[str]], list[int]] = defaultdict(list)
    for number, kernel in enumerate(lowered.kernels, 1):
        launches[kernel.name, frozenset(kernel.origins)].append(number)
    found: dict[int, int] = {}
    for (name, origins), numbers in launches.items():
        call = re.compile(rf"\b{re.escape(name)}(?:\.run)?\(")
        lines = [line for line in sorted(nodes) if frozenset(nodes[line]) == origins and call.search(code[line - 1])]
        if len(lines) == len(numbers):
            found |= zip(numbers, lines, strict=True)
    return found


def sources_by_kernel(lowered: InductorGraph) -> dict[str, str]:
    """Return the source of each kernel by its name: for a GPU as target, its Triton file."""
    sources = {kernel.name: kernel.source for kernel in lowered.kernels if kernel.source}
    return sources | {kernel.name: kernel.source for kernel in lowered.gpu_kernels}


def _body(name: str, source: str) -> Iterable[int]:
    """Return the lines of a kernel: all in C++, in Triton those from its ``def`` on."""
    lines = source.splitlines()
    first = next((number for number, line in enumerate(lines, 1) if line.startswith(f"def {name}(")), 1)
    return (number for number in range(first, len(lines) + 1) if lines[number - 1].strip())


def _of_gpu_kernel(graph: str, kernel: GpuKernel) -> Iterator[Pair]:
    code, name = kernel.code, kernel.name
    for mapped in code.lines:
        above = Link("kernel", graph, name, mapped.triton)
        yield from ((above, Link("ptx", graph, name, line)) for line in mapped.ptx)
        yield from ((above, Link("sass", graph, name, line)) for line in mapped.sass)
    named: tuple[tuple[Stage, dict[int, int]], ...] = (
        ("ttir", ttir_lines(code.ttir, kernel.source, name)),
        ("ttgir", ttir_lines(code.ttgir, kernel.source, name)),
        ("llir", llvm_lines(code.llir, kernel.source, name)),
    )
    for stage, lines in named:
        for line, triton in lines.items():
            yield Link("kernel", graph, name, triton), Link(stage, graph, name, line)
