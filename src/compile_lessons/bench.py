"""Time functions so that the numbers can be trusted, on CPU and GPU alike.

The timers are torch's and triton's own: ``torch.utils.benchmark.Timer`` for whole calls, as Python sees them, and
``triton.testing.do_bench`` (CUDA events, L2 cleared before every call) for the device's share of a call.
"""

from __future__ import annotations

import itertools
import os
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import psutil
import torch
from torch.utils.benchmark import Timer

from compile_lessons.show.charts import Bars
from compile_lessons.show.table import Table, duration

#: Seconds: of the first stretch of samples, and of all of them at most.
_LONGEST = 5.0
_FIRST_STRETCH = 0.2

_CLEAR, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


@dataclass(frozen=True)
class Limits:
    """What the machine does at best, measured in this run: bytes (read plus written) and flop per second."""

    copy: float
    matmul: float


@dataclass(frozen=True)
class Measurement:
    """Times of one function, in seconds.

    ``quarters`` are the lower quartile, the median and the upper quartile of ``samples`` samples; ``first`` is the
    first call alone, which compiles. ``peak_memory`` is in bytes, inputs included: allocated on the GPU during calls
    that are not timed, or the process's largest resident size on a CPU (since it began, where it can't be reset: only
    Linux can). ``wanted`` is the spread that was asked for. ``moved`` and ``flops`` are the bytes and operations of one
    call, if they were given.
    """

    label: str
    device: str
    quarters: tuple[float, float, float]
    samples: int
    first: float
    peak_memory: int
    cold: bool
    moved: int | None = None
    flops: int | None = None
    wanted: float = 0.05

    @property
    def median(self) -> float:
        return self.quarters[1]

    @property
    def spread(self) -> float:
        """Interquartile range over the median."""
        return (self.quarters[2] - self.quarters[0]) / self.quarters[1]

    def share(self, limits: Limits) -> float | None:
        """The larger of the shares of copy bandwidth and matmul rate; ``None`` if neither bytes nor flops are known."""
        shares = [self.moved / self.median / limits.copy] if self.moved else []
        shares += [self.flops / self.median / limits.matmul] if self.flops else []
        return max(shares, default=None)


@dataclass(frozen=True)
class Comparison:
    """Measurements side by side, as a table and as bars."""

    measurements: tuple[Measurement, ...]
    limits: Limits | None = None

    @property
    def table(self) -> Table:
        share = ["share of limit"] if self.limits else []
        columns = ["function", "median", *share, "quartiles", "spread", "samples", "first call", "peak memory"]
        return Table(columns, [self._row(one) for one in self.measurements])

    def _row(self, one: Measurement) -> list[str]:
        quartiles = f"{duration(one.quarters[0])} to {duration(one.quarters[2])}"
        spread = f"{one.spread:.1%}" if one.spread <= one.wanted else f"{one.spread:.1%}, not {one.wanted:.0%}"
        row = [one.label, duration(one.median)]
        if self.limits:
            share = one.share(self.limits)
            row.append("" if share is None else f"{share:.0%}")
        row += [quartiles, spread, str(one.samples), duration(one.first), f"{one.peak_memory / 2**20:.0f} MiB"]
        return row

    def __str__(self) -> str:
        return str(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_() + Bars([(one.label, one.quarters) for one in self.measurements]).svg()


def measure(
    label: str,
    function: Callable[..., Any],
    inputs: Sequence[tuple[Any, ...]],
    *,
    cold: bool = False,
    spread: float = 0.05,
    moved: int | None = None,
    flops: int | None = None,
) -> Measurement:
    """Time ``function(*arguments)`` over ``inputs``, which are taken in turn so that no call finds the last one's data.

    Samples are added until their interquartile range is within ``spread`` of the median, for 5 seconds at most; the
    result states what was reached. ``cold`` clears a GPU's L2 before every call and times on the device alone;
    without it a call's whole time counts, launch overhead included.

    Raises ``ValueError`` for ``cold`` without a GPU or without inputs.
    """
    if not inputs:
        raise ValueError("measure needs at least one tuple of arguments")
    device = _device(inputs)
    if cold and device.type != "cuda":
        raise ValueError("cold=True clears the L2 of a GPU: give inputs that are on one")
    turns = itertools.cycle(inputs)

    def call() -> Any:
        return function(*next(turns))

    began = perf_counter()
    call()
    _synchronize(device)
    first = perf_counter() - began
    peak_memory = _peak_memory(call, len(inputs), device)
    times = _device_times(call, spread) if cold else _call_times(call, spread)
    low, middle, high = statistics.quantiles(times, n=4) if len(times) > 1 else (times[0],) * 3
    return Measurement(
        label, device.type, (low, middle, high), len(times), first, peak_memory, cold, moved, flops, spread
    )


def limits(device: str, dtype: torch.dtype = torch.float32, size: int = 4096, copied: int = 2**28) -> Limits:
    """Copy bandwidth (``copied`` bytes) and matmul rate (``size`` cubed) of ``device``, measured now on random data."""
    source, target = (torch.rand(copied // 4, device=device) for _ in range(2))
    a, b = (torch.randn(size, size, device=device, dtype=dtype) for _ in range(2))
    on_gpu = torch.device(device).type == "cuda"
    copy = measure("copy", target.copy_, [(source,)], cold=on_gpu)
    matmul = measure("matmul", torch.mm, [(a, b)], cold=on_gpu)
    return Limits(2 * source.nbytes / copy.median, 2 * size**3 / matmul.median)


def _device(inputs: Sequence[tuple[Any, ...]]) -> torch.device:
    tensors = [value for value in inputs[0] if isinstance(value, torch.Tensor)]
    return tensors[0].device if tensors else torch.device("cpu")


def _synchronize(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def _call_times(call: Callable[[], Any], spread: float) -> list[float]:
    """Seconds a call, by torch's timer, which waits for the GPU around each block of calls."""
    timer = Timer("call()", globals={"call": call}, num_threads=torch.get_num_threads())
    return list(timer.adaptive_autorange(threshold=spread, min_run_time=_FIRST_STRETCH, max_run_time=_LONGEST).times)


def _device_times(call: Callable[[], Any], spread: float) -> list[float]:
    """Seconds a call on the device, by triton's timer, for longer and longer until the spread is reached."""
    from triton.testing import do_bench

    stretch = _FIRST_STRETCH
    while True:
        times = [ms * 1e-3 for ms in do_bench(call, warmup=25, rep=stretch * 1e3, return_mode="all")]
        low, middle, high = statistics.quantiles(times, n=4) if len(times) > 1 else times * 3
        if (high - low) / middle <= spread or 2 * stretch > _LONGEST:
            return times
        stretch *= 2


def _peak_memory(call: Callable[[], Any], times: int, device: torch.device) -> int:
    """Bytes at most during ``times`` calls, which warm up as well; the timers' own memory is not among them."""
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    elif os.access(_CLEAR, os.W_OK):
        _CLEAR.write_text("5")  # resets the peak resident size: proc(5)
    for _ in range(times):
        call()
    _synchronize(device)
    return torch.cuda.max_memory_allocated(device) if device.type == "cuda" else _peak_resident()


def _peak_resident() -> int:
    if sys.platform == "linux":
        (line,) = (line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    if sys.platform == "win32":
        return psutil.Process().memory_info().peak_wset
    import resource  # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
