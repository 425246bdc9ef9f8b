"""CUDA graphs that are skipped, with torch's reason, and those that are recorded again and again."""

import re
from collections import Counter
from collections.abc import Iterator

from compile_lessons.facts.run import Interval, Message, Process, Run
from compile_lessons.facts.source import Location, innermost, stack_in
from compile_lessons.findings.catalogue import catalogue, fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.groups import grouped
from compile_lessons.ground.words import counted, rough_duration, shorten

#: More recordings of a graph than these, for other addresses of the same sizes and for other sizes.
_AGAIN = 2
_SIZES = 3


def skipped_cuda_graphs(run: Run) -> Iterator[Finding]:
    """Yield a finding for each reason. A trace alone has those of compiles, and none of the calls."""
    messages = [m for process in run.processes for m in process.messages if "skipping cudagraph" in m.text]
    if not run.collected:
        compiles = [item for process in run.processes for item in process.compiles]
        messages = [Message(item.cuda_graph_skipped) for item in compiles if item.cuda_graph_skipped]
    for reason, count in Counter(message.text.partition("\n")[0] for message in messages).items():
        same = [message for message in messages if message.text.startswith(reason)]
        causes = catalogue().rules["cuda-graph-skipped"]
        yield finding(
            fix("cuda-graph-skipped", next((cause for cause in causes if cause in reason), "any")),
            f"CUDA graphs are skipped, {counted(count, 'time')}",
            where=(
                *(innermost(stack_in(message.text)) for message in same),
                *(message.line for message in same),
            ),
            evidence=(shorten(reason, 160),),
        )


def recorded_cuda_graphs(run: Run) -> Iterator[Finding]:
    """Yield a finding for each compile whose graphs are recorded for many addresses, or many sizes."""
    for process in run.processes:
        recorded = [item for item in process.intervals if item.trigger == "CUDAGRAPH_RECORDING" and item.mode]
        for id, recordings in grouped((item.compile, item) for item in recorded).items():
            again = [item for item in recordings if item.again]
            first = [item for item in recordings if item.sizes and not item.again]
            if len(again) > _AGAIN:
                yield _again(process, id, again)
            if len({item.sizes for item in first}) > _SIZES:
                yield _sizes(process, id, first)


def _again(process: Process, id: str, recordings: list[Interval]) -> Finding:
    reason = recordings[-1].reason
    name = re.search(r"input name: (\S+)\.", reason)
    seconds = sum(item.seconds for item in recordings)
    times = f"{counted(len(recordings), 'time')}, {rough_duration(seconds)}"
    return finding(
        fix("cuda-graph-recorded-again", "static" if reason.startswith("static input") else "any"),
        f"a CUDA graph of {_name(process, id)} was recorded again {times}",
        seconds=seconds,
        where=_places(process, id, recordings),
        evidence=(reason.partition("\n")[0].rstrip("."), f"the input {name[1]}" if name else ""),
    )


def _sizes(process: Process, id: str, recordings: list[Interval]) -> Finding:
    seconds = sum(item.seconds for item in recordings)
    shown = [" × ".join(map(str, sizes)) for sizes in dict.fromkeys(item.sizes for item in recordings)]
    each = f"each of {len(shown)} sizes, {rough_duration(seconds)}"
    return finding(
        fix("cuda-graph-sizes"),
        f"a CUDA graph of {_name(process, id)} was recorded for {each}",
        seconds=seconds,
        where=_places(process, id, recordings),
        evidence=("sizes " + ", ".join(shown if len(shown) <= 5 else [*shown[:4], "…", shown[-1]]),),
    )


def _name(process: Process, id: str) -> str:
    return next((item.name for item in process.compiles if item.id == id), f"graph {id}")


def _places(process: Process, id: str, recordings: list[Interval]) -> list[Location | None]:
    """Return the lines that called, and the function."""
    code = [item.code for item in process.compiles if item.id == id]
    return [*(item.line for item in recordings), *code]
