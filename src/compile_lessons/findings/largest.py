"""The kernels that read and write most, and the frames that took longest to compile."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from compile_lessons.facts import CompiledGraph, Direction, Frame, InductorGraph, Kernel, Location
from compile_lessons.facts.places import resumed


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
    """Return the name of a frame. What follows a break has the name of the whole function."""
    divided = resumed(frame.function)
    return frame.name.replace(frame.function, f"{divided[0]}, resumed") if divided else frame.name
