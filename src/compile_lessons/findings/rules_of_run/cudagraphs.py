"""CUDA graphs that are skipped, with torch's reason, and those that are recorded again and again."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from compile_lessons.facts.places import innermost, is_not_torch, location
from compile_lessons.facts.run import Interval, Message, Process, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.ground.words import counted, rough_duration, shorten


def skipped_cuda_graphs(run: Run) -> Iterator[Finding]:
    """Yield a finding for each reason. A trace alone has those of compiles, and none of the calls."""
    messages = [m for process in run.processes for m in process.messages if "skipping cudagraph" in m.text]
    if not run.collected:
        compiles = [item for process in run.processes for item in process.compiles]
        messages = [Message(item.cuda_graph_skipped) for item in compiles if item.cuda_graph_skipped]
    reasons = Counter(_first_line(message.text) for message in messages)
    for reason, count in reasons.items():
        same = [message for message in messages if message.text.startswith(reason)]
        named = [line for message in same if (line := _line(message.text))]
        lines = [line for message in same if (line := innermost(reversed(message.stack)))]
        yield Finding(
            rule="cuda-graph-skipped",
            severity="fault",
            what=f"CUDA graphs are skipped, {counted(count, 'time')}",
            where=tuple(dict.fromkeys([*named, *lines])),
            evidence=(shorten(reason, 160),),
            remedy=_remedy(reason),
            lesson="gpu/cuda-graphs",
        )


#: What to do, by a word of the reason.
_REMEDIES = {
    "mutated inputs": "return a new tensor, keep the state in a buffer that is changed in place, or call "
    "torch._dynamo.mark_static_address(tensor) before the first call",
    "cpu device": "move this tensor to the GPU before the call, or pass the number as a Python number",
    "multiple devices": "put all tensors of the compiled function on one GPU",
    "cond": "replace torch.cond with torch.where",
    "dynamic shapes": "pad to a few sizes, or leave torch._inductor.config.triton.cudagraph_skip_dynamic_graphs False",
}
_SPLIT = "call what the reason names between two compiled functions, so that each of them has a CUDA graph"


def _remedy(reason: str) -> str:
    return next((remedy for words, remedy in _REMEDIES.items() if words in reason), _SPLIT)


#: The user's line in torch's message: ``File "/work/train.py", line 8, in forward``.
_LINE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>\S+)')


def _line(text: str) -> Location | None:
    frames = [location(m["file"], int(m["line"]), m["function"]) for m in _LINE.finditer(text)]
    return innermost(frame for frame in frames if is_not_torch(frame.file))


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


#: More recordings of a graph than these, for other addresses of the same sizes and for other sizes.
_AGAIN = 2
_SIZES = 3


def recorded_cuda_graphs(run: Run) -> Iterator[Finding]:
    """Yield a finding for each compile whose graphs are recorded for many addresses, or many sizes."""
    for process in run.processes:
        compiles: dict[str, list[Interval]] = defaultdict(list)
        for item in process.intervals:
            if item.trigger == "CUDAGRAPH_RECORDING" and item.mode:
                compiles[item.compile].append(item)
        for id, recordings in compiles.items():
            again = [item for item in recordings if item.again]
            first = [item for item in recordings if item.sizes and not item.again]
            if len(again) > _AGAIN:
                yield _again(process, id, again)
            if len({item.sizes for item in first}) > _SIZES:
                yield _sizes(process, id, first)


def _again(process: Process, id: str, recordings: list[Interval]) -> Finding:
    reason = recordings[-1].reason
    name = re.search(r"input name: (\S+)\.", reason)
    remedy = "copy new values into the old tensor, as in weight.copy_(new), instead of putting a new one in its place"
    if not reason.startswith("static input"):
        remedy = "let go of a step's results before the next one, or call torch.compiler.cudagraph_mark_step_begin()"
    seconds = sum(item.seconds for item in recordings)
    return Finding(
        rule="cuda-graph-recorded-again",
        severity="fault",
        what=(
            f"a CUDA graph of {_name(process, id)} was recorded again {counted(len(recordings), 'time')}, "
            f"{rough_duration(seconds)}"
        ),
        seconds=seconds,
        where=_places(process, id, recordings),
        evidence=(_first_line(reason).rstrip("."), *([f"the input {name[1]}"] if name else [])),
        remedy=remedy,
        lesson="gpu/cuda-graphs#new-address",
    )


def _sizes(process: Process, id: str, recordings: list[Interval]) -> Finding:
    seconds = sum(item.seconds for item in recordings)
    sizes = list(dict.fromkeys(item.sizes for item in recordings))
    shown = [" × ".join(map(str, size)) for size in sizes]
    return Finding(
        rule="cuda-graph-sizes",
        severity="fault",
        what=(
            f"a CUDA graph of {_name(process, id)} was recorded for each of {len(sizes)} sizes, "
            f"{rough_duration(seconds)}"
        ),
        seconds=seconds,
        where=_places(process, id, recordings),
        evidence=("sizes " + ", ".join(shown if len(shown) <= 5 else [*shown[:4], "…", shown[-1]]),),
        remedy=(
            "pad to a few sizes; or torch._inductor.config.triton.cudagraph_skip_dynamic_graphs = True, "
            "which uses no CUDA graph where sizes change"
        ),
        lesson="gpu/cuda-graphs",
    )


def _name(process: Process, id: str) -> str:
    return next((item.name for item in process.compiles if item.id == id), f"graph {id}")


def _places(process: Process, id: str, recordings: list[Interval]) -> tuple[Location, ...]:
    """Return the lines that called, and the function."""
    calls = [line for item in recordings if (line := innermost(reversed(item.stack)))]
    code = [item.code for item in process.compiles if item.id == id and is_not_torch(item.code.file)]
    return tuple(dict.fromkeys([*calls, *code]))
