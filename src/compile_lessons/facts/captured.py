"""A capture as a run, so that one rule judges what was captured and what was read from a trace.

What only a program shows, such as uses of torch.compile and seconds of a run, isn't there.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from compile_lessons.facts.frames import Frame, Skip
from compile_lessons.facts.graphs import Graph
from compile_lessons.facts.pipeline import Calls, Pipeline
from compile_lessons.facts.run import Compile, FailedCheck, GraphBreak, Process, Region, Repeated, Run
from compile_lessons.facts.source import Location, location

#: "Dynamo recompile limit exceeded", "recompile_limit reached", "accumulated_recompile_limit reached".
_LIMIT = re.compile(r"(?:recompile|cache_size)[_ ]limit")


def run_of(captured: Pipeline | Calls) -> Run:
    """Return a capture as the run of one process."""
    process = _of_calls(captured) if isinstance(captured, Calls) else _of_pipeline(captured)
    return Run(processes=(process,), collected=False, captured=True)


def _of_pipeline(pipeline: Pipeline) -> Process:
    skips = {(skip.file, skip.line): skip for skip in pipeline.skips}
    compiles = [_of_frame(frame, skips.get((frame.file, frame.line))) for frame in pipeline.frames]
    known = {(item.code.file, item.code.line) for item in compiles if item.outcome != "compiled"}
    for skip in (skip for place, skip in skips.items() if place not in known):
        code = location(skip.file, skip.line, skip.function)
        compiles.append(Compile(code=code, name=skip.function, outcome=_outcome(skip.reason), reason=skip.reason))
    breaks = (GraphBreak(compile=frame.id, **vars(found)) for frame in pipeline.frames for found in frame.breaks)
    return Process(pid=0, torch=pipeline.torch_version, compiles=tuple(compiles), breaks=tuple(breaks))


def _of_frame(frame: Frame, skip: Skip | None) -> Compile:
    number, version = frame.id.split("/")[-2:]  # "0/0", and "-/-" where torch gives no number
    nodes = frame.graph.dynamo.calls if frame.graph else ()
    return Compile(
        id=frame.id,
        frame=int(number) if number.isdigit() else None,
        number=int(version) if version.isdigit() else 0,
        code=location(frame.file, frame.line, frame.function),
        name=frame.name,
        outcome="compiled" if frame.error is None else _outcome(frame.error) if skip else "failed",
        seconds=frame.seconds,
        reason=frame.error,
        operations=len(nodes),
        repeated=tuple(_repeated(frame.graph.dynamo)) if frame.graph else (),
        guard_count=len(frame.guards),
        computing=frozenset(node.location.file for node in nodes if node.location),
    )


def _outcome(reason: str) -> str:
    return "limit" if _LIMIT.search(reason) else "skipped"


def _repeated(graph: Graph) -> Iterator[Repeated]:
    """Yield the lines that are in a graph several times, those with most operations first.

    A line that is there twelve times has each of its operations twelve times, or a multiple of it.
    """
    operations: dict[Location, Counter[str]] = defaultdict(Counter)
    for node in graph.calls:
        if node.location is not None:
            operations[node.location][node.target] += 1
    for line, targets in sorted(operations.items(), key=lambda item: -sum(item[1].values())):
        copies = math.gcd(*targets.values())
        if copies > 1:
            yield Repeated(line, copies, sum(targets.values()))


def _of_calls(calls: Calls) -> Process:
    """Return the calls as versions of one function. A call doesn't tell which of its functions a guard was for."""
    entries = [entry for call in calls.calls for entry in call.entries]
    code = location(entries[0].file, entries[0].line, entries[0].function) if entries else Location(file="", line=0)
    eager = [call.index for call in calls.calls if _LIMIT.search(call.skipped)]
    compiles: list[Compile] = []
    seen: set[str] = set()
    for call in calls.calls:
        checks = [FailedCheck(text, line=line) for text, line in zip(call.failed, call.failed_at, strict=True)]
        # torch lists a guard of each version. Those of older versions stood in the list of an earlier call.
        new = [check for check in checks if check.text not in seen] or checks[:1]
        seen |= set(call.failed)
        if call.index not in eager[:1] and call.outcome not in ("compile", "recompile"):
            continue
        compiles.append(
            Compile(
                id=f"0/{len(compiles)}",
                frame=0,
                number=len(compiles),
                code=code,
                name=calls.function,
                outcome="limit" if call.index in eager else "compiled",
                region=0,
                call=call.index,
                guards=tuple(new),
                limits=(max((entry.entries for entry in call.entries), default=None), None),
                eager_calls=len(eager),
            )
        )
    region = Region(id=0, function=calls.function, code=code, calls=len(calls.calls), eager_calls=len(eager))
    return Process(pid=0, regions=(region,), compiles=tuple(compiles))
