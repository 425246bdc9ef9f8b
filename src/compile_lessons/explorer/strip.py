"""What a compile came to, in a few rows: graphs, kernels, launches and bytes before and after fusion, time."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from compile_lessons.facts import InductorGraph, Pipeline, total
from compile_lessons.findings.of_capture import compile_time
from compile_lessons.ground.words import counted, rough_duration

#: What a reader calls the code of each kind of kernel.
_CALL = "library call"
_KINDS = {"cpp": "C++", "triton": "Triton", "extern": _CALL, "other": "other"}


#: Compile ids that are named; the panes have them all.
_MOST_IDS = 3


class Row(NamedTuple):
    """``varies``: another run of the same program has another value. ``lesson`` explains the row."""

    name: str
    value: str
    varies: bool = False
    lesson: str = ""


def strip(pipeline: Pipeline) -> tuple[Row, ...]:
    """Return the rows of a pipeline. Stages that were not reached have none."""
    return tuple(_rows(pipeline))


def _rows(pipeline: Pipeline) -> Iterator[Row]:
    lowered = [part for graph in pipeline.graphs for part in graph.inductor]
    yield Row("graphs", str(len(pipeline.graphs)))
    yield Row("graph breaks", str(len(pipeline.breaks)))
    yield Row("guards", str(len(pipeline.guards)))
    if pipeline.frames:
        yield compile_ids([f"{frame.id} {frame.name}" for frame in pipeline.frames])
    if lowered:
        kinds = Counter(_KINDS[kernel.kind] for kernel in pipeline.kernels)
        calls = kinds.pop(_CALL, 0)
        words = [counted(calls, _CALL)] if calls else []
        words += [f"{number} {kind}" for kind, number in kinds.items()]
        yield Row("kernels", ", ".join(words) or "none")
        yield Row("launches", _before_and_after(_launches_before(lowered), len(pipeline.kernels)))
        moved = total(kernel.bytes for kernel in pipeline.kernels)
        yield Row("bytes read and written, estimated", _before_and_after(_bytes_before(lowered), moved))
    if (time := compile_time(pipeline.phases)) is not None:
        stages = ", ".join(f"{stage.name} {rough_duration(stage.seconds)}" for stage in time.stages)
        yield Row("compile time", f"{rough_duration(time.seconds)}: {stages}", varies=True)
    yield Row("compiled by", f"torch {pipeline.torch_version} for {pipeline.target}")


def compile_ids(named: Sequence[str]) -> Row:
    """Return the row that says what stands before each graph: its compile id, here with its function."""
    shown = ", ".join(named[:_MOST_IDS])
    more = f", {len(named) - _MOST_IDS} more" if len(named) > _MOST_IDS else ""
    words = f"{shown}{more} (function/version, counted from 0, as in torch's logs)"
    return Row("compile ids" if len(named) > 1 else "compile id", words, lesson="pipeline/one-function#guards")


def _launches_before(lowered: list[InductorGraph]) -> int | None:
    """Return how many kernels there would be without fusion: one for each scheduler node that a kernel computes.

    It is unknown if Inductor doesn't name the nodes of a kernel.
    """
    kernels = [kernel for part in lowered for kernel in part.kernels]
    return sum(len(_computed(part)) for part in lowered) if all(kernel.nodes for kernel in kernels) else None


def _bytes_before(lowered: list[InductorGraph]) -> int | None:
    if _launches_before(lowered) is None:
        return None
    return total(node.bytes for part in lowered for node in part.ir if node.name in _computed(part))


def _computed(part: InductorGraph) -> set[str]:
    return {node for kernel in part.kernels for node in kernel.nodes}


def _before_and_after(before: int | None, after: int | None) -> str:
    return f"{_number(before)} before fusion, {_number(after)} after"


def _number(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


def in_words(rows: tuple[Row, ...]) -> str:
    """Return the rows as lines of text, without what differs from run to run."""
    shown = [row for row in rows if not row.varies]
    width = max(len(row.name) for row in shown)
    return "\n".join(f"{row.name:<{width}}  {row.value}" for row in shown)
