"""Time the steps of a case study on a GPU, and say where the time goes."""

import math
import re
from pathlib import Path
from statistics import median
from time import perf_counter

import torch
from torch.profiler import ProfilerActivity, profile

from compile_lessons import Table, show

#: Groups of kernels by their names; the first pattern that fits counts.
GROUPS = {
    "attention": r"^(?!triton).*(flash|fmha|sdpa|attention)",
    "matrix": r"^(?!triton).*(gemv|gemm|nvjet|splitK|cutlass|conv|xmma|matvec)",
    "layout": r"nchwToNhwc|nhwcToNchw",
    "fused": r"^triton",
}


def cpu_name():
    """Return the processor's name, as Linux has it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next(line.split(": ")[1] for line in lines if line.startswith("model name"))


def seconds(function, calls, rounds=7):
    """Return the seconds of a call by rounds, each with one wait for the GPU."""
    samples = []
    for _ in range(rounds):
        torch.cuda.synchronize()
        began = perf_counter()
        for _ in range(calls):
            function()
        torch.cuda.synchronize()
        samples.append((perf_counter() - began) / calls)
    return samples


def copy_rate(size=2**28):
    """Return bytes read and written per second by a copy."""
    source = torch.randn(size, device="cuda")
    target = torch.empty_like(source)
    seconds(lambda: target.copy_(source), 3, 1)
    return 2 * source.nbytes / median(seconds(lambda: target.copy_(source), 10))


def captured(function):
    """Return a function that replays ``function``, recorded as one CUDA graph."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            function()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = function()

    def replay():
        graph.replay()
        return result

    return replay


def kernel_groups(function, groups, calls=3):
    """Return the milliseconds of a call's kernels by group, and their number."""
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        for _ in range(calls):
            function()
        torch.cuda.synchronize()
    times = dict.fromkeys([*groups, "other"], 0.0)
    number = 0
    for event in profiler.key_averages():
        if event.self_device_time_total:
            fits = [name for name in groups if re.search(groups[name], event.key)]
            group = fits[0] if fits else "other"
            times[group] += event.self_device_time_total / calls / 1e3
            number += event.count
    return times, round(number / calls)


class Steps:
    """The steps of a case study: times, share of a limit, ms of each kind of kernel.

    ``limit`` names what a call could reach at best. ``groups`` replace patterns of
    ``GROUPS``.
    """

    def __init__(self, limit, **groups):
        self.limit = limit
        self.groups = GROUPS | groups
        self.rows = []
        self.ms = []
        self.shares = []
        self.results = []
        self.kernels = []

    def add(self, label, function, floor, graph=False, calls=10):
        """Time ``function``, which returns a tensor; its best time would be ``floor``.

        ``graph`` records it first. A step that raises is noted as a row without times,
        so that the others are kept.
        """
        try:
            function = captured(function) if graph else function
            for _ in range(3):
                result = function()
            result = result.float().clone()
            samples = sorted(seconds(function, calls))
            times, number = kernel_groups(function, self.groups)
        except RuntimeError as error:
            reason = f"failed: {str(error).splitlines()[0][:60]}"
            self._note(label, [reason], math.nan, math.nan, None, 0)
            return
        middle = median(samples)
        idle = max(0.0, middle * 1e3 - sum(times.values()))
        gain = f"{self.ms[-1] / middle / 1e3:.2f}" if self.ms else ""
        row = [f"{middle * 1e3:.2f} ms", gain, f"{floor / middle:.0%}"]
        row += [f"{samples[1] * 1e3:.2f} to {samples[-2] * 1e3:.2f}", str(number)]
        row += [*(f"{time:.2f}" for time in times.values()), f"{idle:.2f}"]
        self._note(label, row, middle * 1e3, floor / middle, result, number)

    def _note(self, label, row, ms, share, result, kernels):
        self.rows.append([label, *row])
        self.ms.append(ms)
        self.shares.append(share)
        self.results.append(result)
        self.kernels.append(kernels)

    def show(self):
        """Show the table, without the groups that no step has kernels of."""
        columns = ["step", "time", "gain", self.limit, "middle 5 of 7", "kernels"]
        columns += [*self.groups, "other", "GPU idle"]
        rows = [row + [""] * (len(columns) - len(row)) for row in self.rows]
        used = [
            i for i in range(len(columns)) if {row[i] for row in rows} - {"0.00", ""}
        ]
        show(
            Table([columns[i] for i in used], [[row[i] for i in used] for row in rows])
        )

    def error(self, number, reference=0):
        """Return the relative distance of two steps' results; NaN if one failed."""
        a = self.results[number]
        b = self.results[reference]
        if a is None or b is None:
            return math.nan
        return ((a - b).norm() / b.norm()).item()
