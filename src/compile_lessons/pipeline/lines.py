"""Join what each stage recorded about a line of source. Nothing is inferred.

A name counts for a line only through torch's own data: a node's stack trace, a buffer's origins, a kernel's nodes.
A line of the output code counts if it calls a kernel. Lines inside a C++ or Triton kernel have no such data.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from compile_lessons.pipeline.fxgraph import qualified_nodes
from compile_lessons.pipeline.locations import location
from compile_lessons.pipeline.model import CompiledGraph, Frame, Graph, InductorGraph, Line, Lines, Location, Node

#: The fields of ``Line`` that name something in a stage.
_STAGES = ("bytecode", "dynamo", "forward", "backward", "buffers", "kernels", "code")


def lines_of(frames: Iterable[Frame]) -> Lines:
    """Return the mapping for all frames, in order of frame, file and line."""
    lines: list[Line] = []
    unknown: list[str] = []
    for frame in frames:
        if frame.graph is not None:
            lines += _frame_lines(frame, frame.graph)
            unknown += [f"{frame.id} {name}" for name in _unknown(frame.graph)]
    return Lines(lines=tuple(lines), unknown=tuple(unknown))


def _frame_lines(frame: Frame, graph: CompiledGraph) -> Iterator[Line]:
    by_line: dict[tuple[str, int], dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for instruction in frame.original:
        if instruction.line is not None:
            by_line[frame.file, instruction.line]["bytecode"].append(instruction.offset)
    for place, stage, name in _places(graph):
        if place is not None and name not in by_line[place.file, place.line][stage]:
            by_line[place.file, place.line][stage].append(name)
    for (file, line), names in sorted(by_line.items()):
        stages = {stage: tuple(names[stage]) for stage in _STAGES}
        yield Line(frame=frame.id, file=file, line=line, text=location(file, line).text, **stages)


def _places(graph: CompiledGraph) -> Iterator[tuple[Location | None, str, str]]:
    """Yield the user's line, the stage and the name of everything in the graph."""
    for stage, fx_graph in (("dynamo", graph.dynamo), ("forward", graph.forward), ("backward", graph.backward)):
        for name, node in _computing_nodes(fx_graph):
            yield node.location, stage, name
    for lowered in graph.inductor:
        places = {name: node.location for name, node in qualified_nodes(lowered.post_grad)}
        for stage, name, origins in _origins(lowered):
            for origin in origins:
                yield places.get(origin), stage, name
        for line in lowered.code_lines:
            yield line.location, "code", f"{lowered.direction}:{line.line}"


def _origins(lowered: InductorGraph) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the stage, the name and the origins of each buffer and kernel."""
    for node in lowered.ir:
        for buffer in node.buffers:
            yield "buffers", f"{lowered.direction}:{buffer}", node.origins
    for kernel in lowered.kernels:
        yield "kernels", f"{lowered.direction}:{kernel.name}", kernel.origins


def _unknown(graph: CompiledGraph) -> Iterator[str]:
    """Yield the names of everything that torch's data leads to no line of."""
    for fx_graph in (graph.dynamo, graph.forward, graph.backward):
        for name, node in _computing_nodes(fx_graph):
            if fx_graph is not None and node.location is None:
                yield f"{fx_graph.kind}: {name}"
    for lowered in graph.inductor:
        places = {name: node.location for name, node in qualified_nodes(lowered.post_grad)}
        for stage, name, origins in _origins(lowered):
            if not any(places.get(origin) for origin in origins):
                yield f"{stage}: {name}"


def _computing_nodes(graph: Graph | None) -> Iterator[tuple[str, Node]]:
    """Yield the nodes that compute, also those in the bodies of operators."""
    for name, node in qualified_nodes(graph) if graph else ():
        if node.op.startswith("call_"):
            yield name, node
