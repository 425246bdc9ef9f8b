"""Join what each stage recorded about a line of source. Nothing is inferred.

A name counts for a line only through torch's own data: a node's stack trace, a buffer's origins, a kernel's nodes.
A line of the output code counts if it calls a kernel. Lines inside a C++ or Triton kernel have no such data.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from compile_lessons.facts import CompiledGraph, Frame, Line, Lines, Location, qualified_nodes
from compile_lessons.facts.source import location

#: The fields of ``Line`` that name something in a stage.
_STAGES = ("bytecode", "dynamo", "forward", "backward", "buffers", "kernels", "code")


def lines_of(frames: Iterable[Frame]) -> Lines:
    """Return the mapping for all frames, in order of frame, file and line."""
    lines: list[Line] = []
    unknown: list[str] = []
    for frame in frames:
        if frame.graph is not None:
            lines += _frame_lines(frame, frame.graph)
            unknown += (f"{frame.id} {kind}: {name}" for kind, name, places in _named(frame.graph) if not any(places))
    return Lines(lines=tuple(lines), unknown=tuple(unknown))


def _frame_lines(frame: Frame, graph: CompiledGraph) -> Iterator[Line]:
    # By line and stage, the names in the order in which they come: the dict is a set with an order.
    by_line: dict[tuple[str, int], dict[str, dict[Any, None]]] = defaultdict(lambda: defaultdict(dict))
    for instruction in frame.original:
        if instruction.line is not None:
            by_line[frame.file, instruction.line]["bytecode"][instruction.offset] = None
    for kind, name, places in _named(graph):
        stage = "forward" if kind == "inference" else kind
        for place in filter(None, places):
            by_line[place.file, place.line][stage][name] = None
    for (file, line), names in sorted(by_line.items()):
        stages = {stage: tuple(names[stage]) for stage in _STAGES}
        yield Line(frame=frame.id, file=file, line=line, text=location(file, line).text, **stages)


def _named(graph: CompiledGraph) -> Iterator[tuple[str, str, Sequence[Location | None]]]:
    """Yield the kind, the name and the user's lines of everything in the graph."""
    for fx_graph in filter(None, (graph.dynamo, graph.forward, graph.backward)):
        for name, node in qualified_nodes(fx_graph):
            if node.op.startswith("call_"):
                yield fx_graph.kind, name, [node.location]
    for lowered in graph.inductor:
        places = {name: node.location for name, node in qualified_nodes(lowered.post_grad)}
        buffers = [("buffers", buffer, node.origins) for node in lowered.ir for buffer in node.buffers]
        kernels = [("kernels", kernel.name, kernel.origins) for kernel in lowered.kernels]
        for kind, name, origins in buffers + kernels:
            yield kind, f"{lowered.direction}:{name}", [places.get(origin) for origin in origins]
        for line in lowered.code_lines:
            if line.location is not None:
                yield "code", f"{lowered.direction}:{line.line}", [line.location]
