"""Read the profile of ``diagnose --profile-steps``: a Chrome trace as torch writes it. Times in it are microseconds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from compile_lessons.facts.run import Profile, Work
from compile_lessons.ground.reading import read_json

Event = dict[str, Any]

#: Categories of what runs on a device.
_DEVICE = ("kernel", "gpu_memcpy", "gpu_memset")
#: Categories of calls that have the device work.
_LAUNCH = ("cuda_runtime", "cuda_driver")
#: What compiled code runs in, by the beginning of its name.
_COMPILED = ("Torch-Compiled Region", "## Call CompiledFxGraph", "CompiledFunctionBackward")
#: What surrounds the generated code: finding the version, and the wrappers of its inputs and outputs.
_WRAPPERS = (
    "Torch-Compiled Region",
    "TorchDynamo Cache Lookup",
    "Pregraph bytecode",
    "AOTDispatcher Runtime Wrapper",
    "CompiledFunction",
)


def read_profile(folder: Path, record: dict[str, Any]) -> Profile:
    """Return the profile that a record of the collector tells of."""
    if "why" in record:
        return Profile(why=record["why"])
    try:
        events: list[Event] = read_json((folder / record["file"]).read_bytes())["traceEvents"]
    except (OSError, ValueError) as error:  # the program was killed while torch wrote it
        return Profile(why=f"torch's file can't be read: {error}")
    events = [event for event in events if event.get("ph") == "X"]
    device = [event for event in events if event.get("cat") in _DEVICE]
    host = [event for event in events if event.get("cat") in (*_LAUNCH, "cpu_op", "user_annotation")]
    on_device = record["device"] is not None
    if on_device and not device:  # compiled code launches kernels: a GPU without work is no fact here
        return Profile(why=f"torch's profiler saw no work of the {record['device']}; CUPTI may be missing, or in use")
    work = _of_device(device, events) if on_device else _of_cpu(events)
    return Profile(
        region=record["region"],
        first=record["first"],
        steps=record["steps"],
        seconds=record["seconds"],
        device=record["device"],
        busy=_covered(device) if on_device else None,
        launching=_covered([*device, *host]) - _covered(device) if on_device else None,
        work=tuple(sorted(work, key=lambda item: -item.seconds)),
    )


def _covered(events: Iterable[Event]) -> float:
    total, until = 0.0, float("-inf")
    for start, end in sorted((event["ts"], event["ts"] + event["dur"]) for event in events):
        total += max(0.0, end - max(start, until))
        until = max(until, end)
    return total / 1e6


def _of_device(device: Iterable[Event], events: Iterable[Event]) -> list[Work]:
    """Return the kernels. One belongs to compiled code if it was launched while that ran in the same thread."""
    inside = _compiled_intervals(events)
    launches = {event.get("args", {}).get("correlation"): event for event in events if event.get("cat") in _LAUNCH}
    sums: dict[tuple[str, bool], list[float]] = defaultdict(lambda: [0, 0.0])
    for event in device:
        launch = launches.get(event.get("args", {}).get("correlation"))
        within = inside[launch["tid"]] if launch else []
        compiled = any(launch and start <= launch["ts"] <= end for start, end in within)
        entry = sums[event["name"], compiled or event["name"].startswith("triton_")]
        entry[0] += 1
        entry[1] += event["dur"] / 1e6
    return [Work(name, int(calls), seconds, compiled) for (name, compiled), (calls, seconds) in sums.items()]


def _compiled_intervals(events: Iterable[Event]) -> dict[Any, list[tuple[float, float]]]:
    found: dict[Any, list[tuple[float, float]]] = defaultdict(list)
    for event in events:
        if event["name"].startswith(_COMPILED):
            found[event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    return found


def _of_cpu(events: Iterable[Event]) -> list[Work]:
    """Return operators with their own time, without that of the operators that they call."""
    threads: dict[Any, list[Event]] = defaultdict(list)
    for event in events:
        if event.get("cat") in ("cpu_op", "user_annotation"):
            threads[event["tid"]].append(event)
    sums: dict[tuple[str, bool], list[float]] = defaultdict(lambda: [0, 0.0])
    for same in threads.values():
        for name, compiled, seconds in _own_times(same):
            sums[name, compiled][0] += 1
            sums[name, compiled][1] += seconds
    return [Work(name, int(calls), seconds, compiled) for (name, compiled), (calls, seconds) in sums.items()]


def _own_times(events: Iterable[Event]) -> Iterator[tuple[str, bool, float]]:
    open_events: list[tuple[Event, bool, list[float]]] = []

    def close(until: float) -> Iterator[tuple[str, bool, float]]:
        while open_events and open_events[-1][0]["ts"] + open_events[-1][0]["dur"] <= until:
            event, compiled, inner = open_events.pop()
            yield _label(event["name"]), compiled, max(0.0, event["dur"] - sum(inner)) / 1e6

    for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
        yield from close(event["ts"])
        within = bool(open_events and open_events[-1][1])
        if open_events:
            open_events[-1][2].append(event["dur"])
        open_events.append((event, within or event["name"].startswith((*_COMPILED, *_WRAPPERS)), []))
    yield from close(float("inf"))


def _label(name: str) -> str:
    if name.startswith("## Call CompiledFxGraph"):
        return "generated code"
    return "guards and wrappers of compiled code" if name.startswith(_WRAPPERS) else name
