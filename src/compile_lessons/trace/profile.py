"""Read the profile of ``diagnose --profile-steps``: a Chrome trace as torch writes it. Times in it are microseconds."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from compile_lessons.facts.run import Profile, ProfiledWork
from compile_lessons.ground.reading import open_regular, read_json
from compile_lessons.trace.records import Event, Profiled

#: Bytes of a profile that is read, and microseconds that are none.
_LARGEST, _LATEST = 2**29, 1e20
#: Categories of what runs on a device.
_DEVICE = ("kernel", "gpu_memcpy", "gpu_memset")
#: Categories of calls that have the device work.
_LAUNCH = ("cuda_runtime", "cuda_driver")
#: Categories of what the program and torch do on the host.
_HOST = ("cpu_op", "user_annotation")
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


class Timeline(msgspec.Struct):
    traceEvents: tuple[Event, ...]


def read_profile(folder: Path, record: Profiled) -> Profile:
    """Return the profile that a record of the collector tells of."""
    profile = record.profile
    if profile.why:
        return profile
    try:
        with open_regular(folder / Path(record.file).name, _LARGEST) as file:
            timeline = msgspec.convert(read_json(file.read()), Timeline)
    except (OSError, ValueError) as error:  # the program was killed while torch wrote it
        return Profile(why=f"torch's file can't be read: {error}")
    if profile.seconds <= 0:
        return Profile(why="its record is damaged")
    events = [event for event in timeline.traceEvents if event.ph == "X" and _has_times(event)]
    if profile.device is None:
        return replace(profile, work=_most_first(_of_cpu(events)))
    device = [event for event in events if event.cat in _DEVICE]
    if not device:  # compiled code launches kernels: a GPU without work is no fact here
        return Profile(why=f"torch's profiler saw no work of the {profile.device}; CUPTI may be missing, or in use")
    host = [event for event in events if event.cat in (*_LAUNCH, *_HOST)]
    busy = _covered(device)
    launching = _covered([*device, *host]) - busy
    return replace(profile, busy=busy, launching=launching, work=_most_first(_of_device(device, events)))


def _has_times(event: Event) -> bool:
    """Return whether the times of an event are some: JSON may have infinite numbers."""
    return abs(event.ts) < _LATEST and 0 <= event.dur < _LATEST


def _most_first(sums: dict[tuple[str, bool], list[float]]) -> tuple[ProfiledWork, ...]:
    work = (ProfiledWork(name, int(calls), seconds, compiled) for (name, compiled), (calls, seconds) in sums.items())
    return tuple(sorted(work, key=lambda item: -item.seconds))


def _covered(events: Iterable[Event]) -> float:
    total, until = 0.0, float("-inf")
    for event in sorted(events, key=lambda event: event.ts):
        total += max(0.0, event.end - max(event.ts, until))
        until = max(until, event.end)
    return total / 1e6


def _of_device(device: Iterable[Event], events: Iterable[Event]) -> dict[tuple[str, bool], list[float]]:
    """Return the kernels. One belongs to compiled code if it was launched while that ran in the same thread."""
    inside: dict[Any, list[Event]] = defaultdict(list)
    for event in events:
        if event.name.startswith(_COMPILED):
            inside[event.tid].append(event)
    launches = {event.args.correlation: event for event in events if event.cat in _LAUNCH}
    sums: dict[tuple[str, bool], list[float]] = defaultdict(lambda: [0, 0.0])
    for event in device:
        launch = launches.get(event.args.correlation)
        compiled = launch is not None and any(around.ts <= launch.ts <= around.end for around in inside[launch.tid])
        entry = sums[event.name, compiled or event.name.startswith("triton_")]
        entry[0] += 1
        entry[1] += event.dur / 1e6
    return sums


def _of_cpu(events: Iterable[Event]) -> dict[tuple[str, bool], list[float]]:
    """Return operators with their own time, without that of the operators that they call."""
    threads: dict[Any, list[Event]] = defaultdict(list)
    for event in events:
        if event.cat in _HOST:
            threads[event.tid].append(event)
    sums: dict[tuple[str, bool], list[float]] = defaultdict(lambda: [0, 0.0])
    for same in threads.values():
        for name, compiled, seconds in _own_times(same):
            sums[name, compiled][0] += 1
            sums[name, compiled][1] += seconds
    return sums


def _own_times(events: Iterable[Event]) -> Iterator[tuple[str, bool, float]]:
    open_events: list[tuple[Event, bool, list[float]]] = []

    def close(until: float) -> Iterator[tuple[str, bool, float]]:
        while open_events and open_events[-1][0].end <= until:
            event, compiled, inner = open_events.pop()
            yield _label(event.name), compiled, max(0.0, event.dur - sum(inner)) / 1e6

    for event in sorted(events, key=lambda event: (event.ts, -event.dur)):
        yield from close(event.ts)
        within = bool(open_events and open_events[-1][1])
        if open_events:
            open_events[-1][2].append(event.dur)
        open_events.append((event, within or event.name.startswith((*_COMPILED, *_WRAPPERS)), []))
    yield from close(float("inf"))


def _label(name: str) -> str:
    if name.startswith("## Call CompiledFxGraph"):
        return "generated code"
    return "guards and wrappers of compiled code" if name.startswith(_WRAPPERS) else name
