"""Compile the models of the sweep in parallel processes, then time them one by one."""

import os
import subprocess
import sys
from itertools import product
from statistics import median
from time import perf_counter
from typing import NamedTuple

import torch
from _models import LARGE, PHASES, build
from torch.utils.flop_counter import FlopCounterMode

SIZES = (1, 16, 256, 4096)
MODES = ("default", "reduce-overhead")
SAMPLES = 15
SAMPLE_US = 20_000  # a sample is as many calls as fit into this time, 2 to 100


class Result(NamedTuple):
    """What was measured at one batch size."""

    size: int
    us: dict  # median time of a call, by mode
    peak_mib: dict  # memory beyond weights and input, by mode
    least_us: float  # the lower bound on the time

    @property
    def fastest(self):
        return min(self.us, key=self.us.get)

    @property
    def gain(self):
        return self.us["eager"] / self.us[self.fastest]

    @property
    def share_of_limit(self):
        return self.least_us / self.us[self.fastest]


def compile_all(seconds):
    """Fill the caches: each model, phase and mode in a process of its own. Then let
    max-autotune time its candidates, alone, for ``seconds``.

    Returns the seconds that max-autotune took for each batch size of the MLP that it
    came to.
    """
    tuning = _start(
        "MLP",
        "inference",
        "max-autotune",
        threads=16,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    others = [
        _start(name, phase, mode, stdout=subprocess.DEVNULL)
        for phase, name, mode in product(("training", "inference"), LARGE, MODES)
    ]
    for process in others:
        process.wait()
    try:
        output, _ = tuning.communicate("go\n", timeout=seconds)
    except subprocess.TimeoutExpired:
        tuning.kill()
        output, _ = tuning.communicate()
    seconds_by_size = {}
    for line in output.splitlines():
        size, took = line.split()
        seconds_by_size[int(size)] = float(took)
    return seconds_by_size


def _start(name, phase, mode, threads=1, **streams):
    """Start a process that compiles one model in one phase and mode."""
    environment = os.environ | {
        "TORCHINDUCTOR_COMPILE_THREADS": str(threads),
        "PYTHONUNBUFFERED": "1",
    }
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", __file__, name, phase, mode],
        env=environment,
        stderr=subprocess.DEVNULL,
        text=True,
        **streams,
    )


def compile_one(name, phase, mode):
    """Compile the model for each size, into the cache. Print sizes and seconds."""
    model, make_batch = build(name)
    model.train(phase == "training")
    compiled = torch.compile(model, mode=mode, dynamic=False)
    run = PHASES[phase]
    if mode == "max-autotune":
        sys.stdin.readline()  # waits until the GPU is free, to time candidates
    for size in SIZES:
        began = perf_counter()
        run(compiled, make_batch(size))
        torch.cuda.synchronize()
        print(size, perf_counter() - began)


def sweep(name, phase, limits, tuned_sizes=()):
    """Time a model in one phase, in eager mode and compiled. Return a ``Result`` for
    each batch size. max-autotune is timed for ``tuned_sizes`` only.

    Sizes and modes take turns, so that a slow second of the machine doesn't fall on one
    of them.
    """
    torch.compiler.reset()
    start_backward()
    model, make_batch = build(name)
    model.train(phase == "training")
    run = PHASES[phase]
    functions = {"eager": model}
    for mode in (*MODES, "max-autotune"):
        functions[mode] = torch.compile(model, mode=mode, dynamic=False)

    cases = []
    for size in SIZES:
        x = make_batch(size)
        least_us = least(run, model, x, limits)
        wanted = dict(functions)
        if size not in tuned_sizes:
            del wanted["max-autotune"]
        working = {
            mode: function
            for mode, function in wanted.items()
            if works(run, function, x)
        }
        cases.append(Case(run, x, working, least_us))
    for _ in range(SAMPLES):
        for case in cases:
            case.take_a_sample()
    return [case.result() for case in cases]


class Case:
    """One batch size: its input, the functions by mode, and what is measured."""

    def __init__(self, run, x, functions, least_us):
        self.run = run
        self.x = x
        self.functions = functions
        self.least_us = least_us
        self.peak_mib = {}
        self.calls = {}  # in a sample
        self.samples = {mode: [] for mode in functions}
        for mode, function in functions.items():
            self.peak_mib[mode] = peak_mib(run, function, x)
            fitting = int(SAMPLE_US / microseconds(run, function, x, calls=2))
            self.calls[mode] = max(2, min(100, fitting))

    def take_a_sample(self):
        for mode, function in self.functions.items():
            us = microseconds(self.run, function, self.x, self.calls[mode])
            self.samples[mode].append(us)

    def result(self):
        medians = {mode: median(samples) for mode, samples in self.samples.items()}
        return Result(len(self.x), medians, self.peak_mib, self.least_us)


def least(run, model, x, limits):
    """Return the lower bound on the time of a call, in µs: the time for its flop, or
    for reading the input and writing the output, whichever is longer.
    """
    with FlopCounterMode(display=False) as counter:
        y = run(model, x)
    passes = 3 if model.training else 1  # over input and output
    arithmetic = counter.get_total_flops() / limits.matmul
    memory = passes * (x.nbytes + y.nbytes) / limits.copy
    return max(arithmetic, memory) * 1e6


def works(run, function, x):
    """Compile from the cache and warm up. Return whether that went well: a mode that
    fails is left out.
    """
    try:
        for _ in range(4):
            run(function, x)
        torch.cuda.synchronize()
    except RuntimeError as error:
        print("left out:", str(error).splitlines()[0])
        return False
    return True


def peak_mib(run, function, x):
    """Return by how much a call raises the memory in use, at most."""
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    run(function, x)
    torch.cuda.synchronize()
    return (torch.cuda.max_memory_allocated() - before) / 2**20


def microseconds(run, function, x, calls):
    """Return the time of a call, the mean of ``calls``."""
    torch.cuda.synchronize()
    began = perf_counter()
    for _ in range(calls):
        run(function, x)
    torch.cuda.synchronize()
    return (perf_counter() - began) / calls * 1e6


def start_backward():
    """Run a kernel in autograd's own thread, so that the thread has a CUDA context
    before it calls cuBLAS.
    """
    torch.ones(1, device="cuda", requires_grad=True).mul(2).backward()


def cpu_name():
    """Return the processor's name, as Linux has it."""
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(": ")[1].strip()
    return "a CPU without a name"


if __name__ == "__main__":
    torch.compiler.config.recompile_limit = 64
    compile_one(*sys.argv[1:])
