"""Read the profile of ``diagnose --profile-steps``: a Chrome trace as torch writes it. Times in it are microseconds."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from compile_lessons.facts.run import Profile, ProfiledWork
from compile_lessons.facts.source import Location
from compile_lessons.ground.groups import grouped
from compile_lessons.ground.reading import open_regular, read_json
from compile_lessons.trace.records import Event, Generated, Profiled

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


def read_profile(folder: Path, record: Profiled, generated: Sequence[Generated] = ()) -> Profile:
    """Return the profile that a record of the collector tells of. ``generated`` are the process's kernels."""
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
    every = (event for event in timeline.traceEvents if event.ph == "X")
    # JSON may have infinite numbers.
    events = [event for event in every if abs(event.ts) < _LATEST and 0 <= event.dur < _LATEST]
    if profile.device is None:
        return replace(profile, work=_most_first(_of_cpu(events)))
    device = [event for event in events if event.cat in _DEVICE]
    if not device:  # compiled code launches kernels: a GPU without work is no fact here
        return Profile(why=f"torch's profiler saw no work of the {profile.device}; CUPTI may be missing, or in use")
    host = [event for event in events if event.cat in (*_LAUNCH, *_HOST)]
    busy = _covered(device)
    launching = _covered([*device, *host]) - busy
    limits = _Limits(profile.rates, generated, events)
    return replace(profile, busy=busy, launching=launching, work=_most_first(_of_device(device, events, limits)))


def _most_first(work: Iterable[ProfiledWork]) -> tuple[ProfiledWork, ...]:
    return tuple(sorted(work, key=lambda item: -item.seconds))


def _covered(events: Iterable[Event]) -> float:
    total, until = 0.0, float("-inf")
    for event in sorted(events, key=lambda event: event.ts):
        total += max(0.0, event.end - max(event.ts, until))
        until = max(until, event.end)
    return total / 1e6


def _of_device(device: Iterable[Event], events: Iterable[Event], limits: _Limits) -> Iterator[ProfiledWork]:
    """Yield the kernels. One belongs to compiled code if it was launched while that ran in the same thread."""
    inside = grouped((event.tid, event) for event in events if event.name.startswith(_COMPILED))
    launches = {event.args.correlation: event for event in events if event.cat in _LAUNCH}
    same: dict[tuple[str, bool], list[Event]] = defaultdict(list)
    for event in device:
        launch = launches.get(event.args.correlation)
        around = inside.get(launch.tid, ()) if launch else ()
        compiled = any(launch and region.ts <= launch.ts <= region.end for region in around)
        same[event.name, compiled or event.name.startswith("triton_")].append(event)
    for (name, compiled), calls in same.items():
        least, moves = limits.of(calls)
        yield ProfiledWork(
            name=name,
            calls=len(calls),
            seconds=sum(event.dur for event in calls) / 1e6,
            compiled=compiled,
            least=least,
            moves=moves,
            lines=limits.lines(name),
        )


#: Products of two matrices: the first two arguments, or of those that add something, the two after it.
_PRODUCTS = ("aten::mm", "aten::bmm", "aten::addmm", "aten::baddbmm")
#: Of an element, by its type as the profiler names it: the rate of products that counts, and its bytes.
_TYPES = {"float": ("f32", 4), "c10::BFloat16": ("bf16", 2), "c10::Half": ("bf16", 2)}


class _Limits:
    """What the kernels of a profile have to move and to compute, and how long this GPU needs for that."""

    def __init__(self, rates: Mapping[str, float], generated: Iterable[Generated], events: Iterable[Event]) -> None:
        self.rates = rates
        self.generated = grouped((kernel.kernel, kernel) for kernel in generated)
        self.operators = {event.args.external: event for event in events if event.cat == "cpu_op"}
        #: The kernel of each operator that runs longest: a product may need a second one, for what it adds up.
        self.longest: dict[Any, Event] = {}
        for event in sorted(events, key=lambda event: event.dur):
            if event.cat == "kernel":
                self.longest[event.args.external] = event

    def of(self, calls: Sequence[Event]) -> tuple[float | None, bool]:
        """Return the seconds that the GPU needs for these launches at least, ``None`` if that is not known, and whether
        their bytes take longer than their operations."""
        pairs = [pair for pair in map(self._seconds, calls) if pair]
        least = sum(map(max, pairs)) if len(pairs) == len(calls) else None
        return least, all(moving >= computing for moving, computing in pairs)

    def lines(self, name: str) -> tuple[Location, ...]:
        return tuple(dict.fromkeys(line for kernel in self.generated.get(name, ()) for line in kernel.lines))

    def _seconds(self, event: Event) -> tuple[float, float] | None:
        """Return how long the bytes of a launch take, and its operations."""
        copy = self.rates.get("copy")
        if not copy:
            return None
        kernels = self.generated.get(event.name)
        if kernels:  # another graph may have a kernel of this name
            (moved, flop), *others = {(kernel.bytes, kernel.flop) for kernel in kernels}
            # operations, as of a template, are of a type that nobody noted
            return (moved / copy, 0.0) if moved and not flop and not others else None
        operator = self.operators.get(event.args.external)
        if operator is None or operator.name not in _PRODUCTS or self.longest[event.args.external] is not event:
            return None
        return self._of_product(operator, copy)

    def _of_product(self, operator: Event, copy: float) -> tuple[float, float] | None:
        """Return the seconds of a product (…, m, k) @ (…, k, n)."""
        first = 1 if "add" in operator.name else 0
        try:
            (*batch, rows, inner), (*_, columns) = operator.args.sizes[first : first + 2]
            name, size = _TYPES[operator.args.types[first]]
            rate = self.rates[name]
        except (KeyError, IndexError, ValueError, TypeError):  # of another type, or not noted
            return None
        products = math.prod(batch)
        elements = products * (rows * inner + inner * columns + rows * columns)
        return elements * size / copy, 2 * products * rows * inner * columns / rate


def _of_cpu(events: Iterable[Event]) -> Iterator[ProfiledWork]:
    """Yield operators with their own time, without that of the operators that they call."""
    threads = grouped((event.tid, event) for event in events if event.cat in _HOST)
    times = (time for same in threads.values() for time in _own_times(same))
    for (name, compiled), each in grouped(((name, compiled), seconds) for name, compiled, seconds in times).items():
        yield ProfiledWork(name, len(each), sum(each), compiled)


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
