"""The kernels that read and write most, and the frames that took longest to compile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from compile_lessons.facts import CompiledGraph, Direction, Frame, InductorGraph, Kernel, Location
from compile_lessons.findings.rules_of_compile.breaks import RESUMED

#: The object that a method, or a wrapper around a method, belongs to, as the source of a guard.
_SELF = ("L['self']", "L['fn']", "L['args'][0]")
#: Functions around a module's ``forward``: torch's own for a module of torch, and the usual name in decorators.
_WRAPPERS = ("inner", "wrapper")


@dataclass(frozen=True, kw_only=True)
class PlacedKernel:
    """A kernel, its graph, and the line that most of its operations come from."""

    direction: Direction
    kernel: Kernel
    location: Location | None


def kernels_by_bytes(graphs: Sequence[CompiledGraph]) -> list[PlacedKernel]:
    """Return all kernels, those with the most bytes first."""
    kernels = [
        PlacedKernel(direction=part.direction, kernel=kernel, location=_line(part, kernel))
        for graph in graphs
        for part in graph.inductor
        for kernel in part.kernels
    ]
    return sorted(kernels, key=lambda item: -(item.kernel.bytes or 0))


def _line(part: InductorGraph, kernel: Kernel) -> Location | None:
    nodes = {node.name: node for node in part.post_grad.nodes}
    lines = Counter(nodes[name].location for name in kernel.origins if name in nodes)
    lines.pop(None, None)
    return lines.most_common(1)[0][0] if lines else None


def longest_frames(frames: Sequence[Frame], most: int) -> list[Frame]:
    """Return the frames that took longest to compile, in the order in which they were compiled."""
    longest = sorted(frames, key=lambda frame: -frame.seconds)[:most]
    return [frame for frame in frames if frame in longest]


def frame_name(frame: Frame) -> str:
    """Return the function's name with its module's class. The class alone stands for a wrapper around ``forward``."""
    name = RESUMED.sub(r"\1, resumed", frame.function)
    for guard in frame.guards:
        if guard.kind == "TYPE_MATCH" and guard.source in _SELF:
            owner = guard.words.rpartition(".")[2]
            name = owner if name in _WRAPPERS else f"{owner}.{name}"
    return name
