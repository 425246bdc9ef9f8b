"""From a line of source to everything made of it, by joining what each stage recorded. Nothing is inferred.

A name counts for a line only through torch's own data: a node's stack trace, a buffer's origins, a kernel's nodes.
A line of the output code counts if it calls a kernel. Lines inside a C++ or Triton kernel have no such data.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from compile_lessons.pipeline.fxgraph import named
from compile_lessons.pipeline.model import CompiledGraph, Frame, Graph, InductorGraph, Line, Lines, Location, Node
from compile_lessons.pipeline.source import location

_Key = tuple[str, int]


def lines_of(frames: Iterable[Frame]) -> Lines:
    """The mapping for all frames, in order of frame, file and line."""
    entries: list[Line] = []
    unknown: list[str] = []
    for frame in frames:
        entries += _frame_lines(frame)
        if frame.graph is not None:
            unknown += [f"{frame.id} {name}" for name in _unknown(frame.graph)]
    return Lines(tuple(entries), tuple(unknown))


def _frame_lines(frame: Frame) -> Iterator[Line]:
    found: dict[_Key, dict[str, list]] = defaultdict(lambda: defaultdict(list))
    for instruction in frame.original:
        if instruction.line is not None and frame.graph is not None:
            found[frame.file, instruction.line]["bytecode"].append(instruction.offset)
    if frame.graph is not None:
        for place, stage, name in _places(frame.graph):
            if place is not None and name not in found[place.file, place.line][stage]:
                found[place.file, place.line][stage].append(name)
    stages = ("bytecode", "dynamo", "forward", "backward", "buffers", "kernels", "code")
    for (file, line), names in sorted(found.items()):
        text = location(file, line).text
        yield Line(frame.id, file, line, text, *(tuple(names[stage]) for stage in stages))


def _places(graph: CompiledGraph) -> Iterator[tuple[Location | None, str, str]]:
    """(user line, stage, name) for everything in the graph."""
    for stage, found in (("dynamo", graph.dynamo), ("forward", graph.forward), ("backward", graph.backward)):
        for name, node in _calls(found):
            yield node.location, stage, name
    for part in graph.inductor:
        places = {name: node.location for name, node in named(part.post_grad)}
        for stage, name, origins in _origins(part):
            for origin in origins:
                yield places.get(origin), stage, name
        for line in part.code_lines:
            yield line.location, "code", f"{part.direction}:{line.line}"


def _origins(part: InductorGraph) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for node in part.ir:
        for buffer in node.buffers:
            yield "buffers", f"{part.direction}:{buffer}", node.origins
    for kernel in part.kernels:
        yield "kernels", f"{part.direction}:{kernel.name}", kernel.origins


def _unknown(graph: CompiledGraph) -> Iterator[str]:
    for found in (graph.dynamo, graph.forward, graph.backward):
        yield from _unknown_nodes(found)
    for part in graph.inductor:
        places = {name: node.location for name, node in named(part.post_grad)}
        for stage, name, origins in _origins(part):
            if not any(places.get(origin) for origin in origins):
                yield f"{stage}: {name}"


def _unknown_nodes(graph: Graph | None) -> Iterator[str]:
    for name, node in _calls(graph):
        if node.location is None:
            yield f"{graph.kind}: {name}"


def _calls(graph: Graph | None) -> Iterator[tuple[str, Node]]:
    """The nodes that compute, also those in the bodies of operators."""
    for name, node in named(graph) if graph else ():
        if node.op.startswith("call_"):
            yield name, node
