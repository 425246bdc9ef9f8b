"""The stages of a pipeline as panes: lists of lines, each with the links that it stands for. Plain data."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compile_lessons.explorer.links import (
    Assemblies,
    Link,
    Stage,
    assemblies_by_kernel,
    graph_name,
    node_link,
    python,
    sources_by_kernel,
)
from compile_lessons.explorer.sources import user_lines
from compile_lessons.facts import Frame, Graph, InductorGraph, Instruction, Kernel, Location, Pipeline, qualified_nodes
from compile_lessons.ground.words import counted

#: A name at the start of a statement: ``mm: "f32[8, 16]" = …``, or ``primals_1: "f32[8, 16]"; primals_2: …``.
_DEFINED = re.compile(r'(?:^\s*|;\s+)(\w+)(?:: "[^"]*")?(?= = |;)')
_CLASS = re.compile(r"^(\s*)class (\w+)\(torch\.nn\.Module\):")


@dataclass(frozen=True)
class PaneLine:
    """A line of a stage. ``number`` is that of the file or listing; ``None`` for words about it (``… 30 lines``)."""

    number: int | None
    text: str
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class PanePart:
    """One file, graph or kernel. ``lexer`` is Pygments' name of its language; empty for none."""

    title: str
    lexer: str
    lines: tuple[PaneLine, ...]


@dataclass(frozen=True)
class Pane:
    """A stage. ``name`` is short, for the page's address. ``opened`` says whether the page shows it at first."""

    name: str
    title: str
    parts: tuple[PanePart, ...]
    opened: bool


def panes(pipeline: Pipeline, assemblies: Assemblies | None = None) -> tuple[Pane, ...]:
    """Return the panes in the order of the compile, without those that have no line."""
    gpu = bool(pipeline.gpu_kernels)
    made = (
        Pane("python", "Python", tuple(_python(pipeline)), True),
        Pane("bytecode", "Bytecode", tuple(_bytecode(pipeline)), False),
        Pane("guards", "Guards", tuple(_guards(pipeline)), False),
        Pane("breaks", "Graph breaks", tuple(_breaks(pipeline)), True),
        Pane("dynamo", "Dynamo graph", tuple(_graphs(pipeline, "dynamo")), True),
        Pane("joint", "Joint graph", tuple(_graphs(pipeline, "joint")), False),
        Pane("forward", "ATen forward", tuple(_graphs(pipeline, "forward")), True),
        Pane("backward", "ATen backward", tuple(_graphs(pipeline, "backward")), not gpu),
        Pane("post-grad", "Post-grad graph", tuple(_post_grad(pipeline)), False),
        Pane("ir", "Inductor IR", tuple(_ir(pipeline)), False),
        Pane("code", "Output code", tuple(_output_code(pipeline)), not gpu),
        Pane("kernels", _kernels_title(pipeline), tuple(_kernels(pipeline)), True),
        Pane("assembly", "Assembly", tuple(_assembly(pipeline, assemblies or {})), True),
        Pane("ttir", "TTIR", tuple(_machine(pipeline, "ttir", "")), False),
        Pane("ttgir", "TTGIR", tuple(_machine(pipeline, "ttgir", "")), False),
        Pane("llir", "LLVM IR", tuple(_machine(pipeline, "llir", "llvm")), False),
        Pane("ptx", "PTX", tuple(_machine(pipeline, "ptx", "ptx")), True),
        Pane("sass", "SASS", tuple(_machine(pipeline, "sass", "")), False),
    )
    return tuple(pane for pane in made if any(part.lines for part in pane.parts))


def _python(pipeline: Pipeline) -> Iterator[PanePart]:
    for file, lines in user_lines(pipeline).items():
        shown: list[PaneLine] = []
        for number, text in lines.items():
            if shown and number - 1 not in lines:
                shown.append(PaneLine(None, "…"))
            shown.append(PaneLine(number, text, (python(Location(file=file, line=number)),)))
        yield PanePart(file, "python", tuple(shown))


def _bytecode(pipeline: Pipeline) -> Iterator[PanePart]:
    for frame in pipeline.frames:
        yield PanePart(_title(frame, "as Python compiled it"), "", tuple(_instructions(frame, frame.original)))
        if frame.rewritten:
            lines = tuple(_instructions(frame, frame.rewritten, rewritten=True))
            yield PanePart(_title(frame, "as Dynamo rewrote it"), "", lines)


def _title(frame: Frame, what: str) -> str:
    return f"{frame.id} {frame.name}, {what}"


def _instructions(frame: Frame, code: Iterable[Instruction], rewritten: bool = False) -> Iterator[PaneLine]:
    for instruction in code:
        link = Link("rewritten" if rewritten else "bytecode", frame.id, "", instruction.offset)
        text = f"{instruction.opname:<20} {instruction.argument}".rstrip()
        yield PaneLine(instruction.offset, text, (link,))


def _guards(pipeline: Pipeline) -> Iterator[PanePart]:
    for frame in pipeline.frames:
        lines = [
            PaneLine(
                number, f"{guard.source}: {guard.words}".removeprefix(": "), (Link("guard", frame.id, "", number),)
            )
            for number, guard in enumerate(frame.guards, 1)
        ]
        yield PanePart(f"{frame.id} {frame.name}", "", tuple(lines))


def _breaks(pipeline: Pipeline) -> Iterator[PanePart]:
    for frame in pipeline.frames:
        lines: list[PaneLine] = []
        for number, graph_break in enumerate(frame.breaks, 1):
            links = (Link("break", frame.id, "", number),)
            lines.append(PaneLine(number, graph_break.gb_type, links))
            lines += (PaneLine(None, line, links) for line in graph_break.explanation.splitlines())
            lines += (PaneLine(None, f"hint: {hint}", links) for hint in graph_break.hints)
        if lines:
            yield PanePart(f"{frame.id} {frame.name}", "", tuple(lines))


def _graphs(pipeline: Pipeline, stage: str) -> Iterator[PanePart]:
    for frame in pipeline.frames:
        graph: Graph | None = getattr(frame.graph, stage, None)
        if graph is not None:
            yield PanePart(f"{frame.id} {frame.name}", "python", _graph_lines(frame, graph))


def _post_grad(pipeline: Pipeline) -> Iterator[PanePart]:
    for frame, lowered in _lowered(pipeline):
        lines = _graph_lines(frame, lowered.post_grad, lowered.direction)
        yield PanePart(f"{frame.id} {frame.name}, {lowered.direction}", "python", lines)


def _lowered(pipeline: Pipeline) -> Iterator[tuple[Frame, InductorGraph]]:
    for frame in pipeline.frames:
        if frame.graph is not None:
            yield from ((frame, lowered) for lowered in frame.graph.inductor)


def _graph_lines(frame: Frame, graph: Graph, direction: str = "") -> tuple[PaneLine, ...]:
    lines = graph.code.strip("\n").splitlines()
    names = node_lines(graph, lines)
    return tuple(
        PaneLine(number, line, tuple(node_link(frame, graph, name, direction) for name in names.get(number, ())))
        for number, line in enumerate(lines, 1)
    )


def node_lines(graph: Graph, lines: list[str]) -> dict[int, list[str]]:
    """Return the nodes that each line of a graph's code defines. Inputs are on the line of their ``def``.

    The class of a subgraph stands in its parent's; the node's name begins with the subgraph's.
    """
    nodes = dict(qualified_nodes(graph))
    inputs = {name for name, node in nodes.items() if node.op == "placeholder"}
    classes: list[tuple[int, str]] = []
    placed: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if match := _CLASS.match(line):
            classes = [(indent, name) for indent, name in classes if indent < len(match[1])]
            classes.append((len(match[1]), match[2]))
        elif line.lstrip().startswith("#"):
            continue
        prefix = "".join(f"{name}." for _, name in classes[1:])
        if line.lstrip().startswith("def forward("):
            defined = [name for name in re.findall(r"\w+", line) if prefix + name in inputs]
        else:
            defined = _DEFINED.findall(line)
        for name in defined:
            if prefix + name in nodes:
                placed.setdefault(prefix + name, number)
    by_line: dict[int, list[str]] = {}
    for name, number in placed.items():
        by_line.setdefault(number, []).append(name)
    return by_line


def _ir(pipeline: Pipeline) -> Iterator[PanePart]:
    """Yield the operations by what they were fused into, in the order in which Inductor runs them."""
    for frame, lowered in _lowered(pipeline):
        graph = graph_name(frame, lowered.direction)
        operations = {operation.name: operation for operation in lowered.ir}
        lines: list[PaneLine] = []
        grouped = {member for fused in lowered.fused for member in fused.members}
        alone = [(name, (name,)) for name in operations if name not in grouped]
        for name, members in [(fused.name, fused.members) for fused in lowered.fused] + alone:
            if len(members) > 1:
                words = f"{name}: {counted(len(members), 'operation')} fused"
                lines.append(PaneLine(None, words, (Link("fused", graph, name),)))
            for operation in (operations[member] for member in members if member in operations):
                indent = "    " if len(members) > 1 else ""
                link = (Link("ir", graph, operation.name),)
                lines += (PaneLine(None, indent + line, link) for line in operation.text.splitlines())
        yield PanePart(f"{frame.id} {frame.name}, {lowered.direction}", "python", tuple(lines))


def _output_code(pipeline: Pipeline) -> Iterator[PanePart]:
    for frame, lowered in _lowered(pipeline):
        graph = graph_name(frame, lowered.direction)
        code = lowered.output_code.splitlines()
        hidden = _kernel_bodies(lowered)
        lines: list[PaneLine] = []
        for number, line in enumerate(code, 1):
            if number in hidden:
                if number - 1 not in hidden:
                    count = next(n for n in range(number, len(code) + 2) if n not in hidden) - number
                    lines.append(PaneLine(None, f"… {counted(count, 'line')}: see the kernels"))
                continue
            lines.append(PaneLine(number, line, (Link("code", graph, "", number),)))
        yield PanePart(f"{frame.id} {frame.name}, {lowered.direction}", "python", tuple(lines))


def _kernel_bodies(lowered: InductorGraph) -> set[int]:
    """Return the lines of the output code that hold the sources of kernels, which have a pane of their own."""
    hidden: set[int] = set()
    for kernel in lowered.kernels:
        begin = lowered.output_code.find(kernel.source) if kernel.source else -1
        if begin >= 0:
            first = lowered.output_code.count("\n", 0, begin) + 1
            hidden.update(range(first + 1, first + kernel.source.rstrip("\n").count("\n") + 1))
    return hidden


def _kernels_title(pipeline: Pipeline) -> str:
    kinds = {kernel.kind for kernel in pipeline.kernels if kernel.source}
    names = {"cpp": "C++", "triton": "Triton"}
    return " and ".join(names[kind] for kind in names if kind in kinds) or "Kernels"


def _kernels(pipeline: Pipeline) -> Iterator[PanePart]:
    for frame, lowered in _lowered(pipeline):
        graph = graph_name(frame, lowered.direction)
        kinds: dict[str, Kernel] = {kernel.name: kernel for kernel in lowered.kernels}
        for name, source in sources_by_kernel(lowered).items():
            cpp = name in kinds and kinds[name].kind == "cpp"
            yield PanePart(
                f"{graph}: {name}", "cpp" if cpp else "python", tuple(_listing("kernel", graph, name, source))
            )


def _assembly(pipeline: Pipeline, assemblies: Assemblies) -> Iterator[PanePart]:
    for graph, name, assembly in assemblies_by_kernel(pipeline, assemblies):
        yield PanePart(f"{graph}: {name}", "", tuple(_listing("assembly", graph, name, assembly.text)))


def _machine(pipeline: Pipeline, stage: Stage, lexer: str) -> Iterator[PanePart]:
    for frame, lowered in _lowered(pipeline):
        graph = graph_name(frame, lowered.direction)
        for kernel in lowered.gpu_kernels:
            text: str = getattr(kernel.code, stage)
            yield PanePart(f"{graph}: {kernel.name}", lexer, tuple(_listing(stage, graph, kernel.name, text)))


def _listing(stage: Stage, graph: str, name: str, text: str) -> Iterator[PaneLine]:
    for number, line in enumerate(text.rstrip("\n").splitlines(), 1):
        yield PaneLine(number, line, (Link(stage, graph, name, number),))
