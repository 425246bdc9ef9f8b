"""Compile the models of the sweep in parallel processes, then time them one after the
other in this one.
"""

import os
import subprocess
import sys
from statistics import median
from time import perf_counter

import torch
from _models import LARGE, PHASES, build
from torch.utils.flop_counter import FlopCounterMode

SIZES, MODES = (1, 16, 256, 4096), ("default", "reduce-overhead")


def compile_all(seconds):
    """Fill the caches: each model, phase and mode in a process of its own, and max-
    autotune alone, for ``seconds``.

    Returns the seconds that max-autotune took for each batch size of the MLP that it
    came to.
    """
    jobs = [
        (name, phase, mode)
        for phase in ("training", "inference")
        for name in LARGE
        for mode in MODES
    ]
    tuning = _start(
        "MLP",
        "inference",
        "max-autotune",
        threads=16,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    for process in [_start(*job, stdout=subprocess.DEVNULL) for job in jobs]:
        process.wait()
    tuning.stdin.write(b"go\n")  # the other processes are done: candidates can be timed
    tuning.stdin.flush()
    try:
        output, _ = tuning.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        tuning.kill()
        output, _ = tuning.communicate()
    return {
        int(size): float(took)
        for size, took in (line.split() for line in output.decode().splitlines())
    }


def cpu_name():
    """Return the processor's name, as Linux has it."""
    with open("/proc/cpuinfo") as file:
        return next(
            line.split(": ")[1].strip()
            for line in file
            if line.startswith("model name")
        )


def _start(*arguments, threads=1, **streams):
    environment = os.environ | {
        "TORCHINDUCTOR_COMPILE_THREADS": str(threads),
        "PYTHONUNBUFFERED": "1",
    }
    command = [sys.executable, "-W", "ignore", __file__, *arguments]
    return subprocess.Popen(
        command, env=environment, stderr=subprocess.DEVNULL, **streams
    )


def compile_one(name, phase, mode):
    """Compile each size into the cache. Prints the size and the seconds."""
    model, batch = build(name)
    model.train(phase == "training")
    compiled, run = torch.compile(model, mode=mode, dynamic=False), PHASES[phase]
    if mode == "max-autotune":
        sys.stdin.readline()
    for size in SIZES:
        began = perf_counter()
        run(compiled, batch(size))
        torch.cuda.synchronize()
        print(size, perf_counter() - began)


def microseconds(run, function, x, calls):
    torch.cuda.synchronize()
    began = perf_counter()
    for _ in range(calls):
        run(function, x)
    torch.cuda.synchronize()
    return (perf_counter() - began) / calls * 1e6


def works(run, function, x):
    """Compile from the cache and warm up. Returns whether that went well: a mode that
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


def start_backward():
    """Run a kernel in autograd's own thread, so that the thread has a CUDA context
    before it calls cuBLAS.
    """
    torch.ones(1, device="cuda", requires_grad=True).mul(2).backward()


def sweep(name, phase, best, tuned=()):
    """Yield size, median µs by mode, peak MiB by mode and the least µs by ``best``, for
    each batch size.

    Sizes and modes take turns, so that a slow second of the machine doesn't fall on one
    of them. The least time is that of the flop, or of reading the input and writing the
    output once (three times in training), whichever is longer.
    """
    torch.compiler.reset()
    start_backward()
    model, batch = build(name)
    model.train(phase == "training")
    compiled = {
        mode: torch.compile(model, mode=mode, dynamic=False)
        for mode in (*MODES, "max-autotune")
    }
    run, prepared = PHASES[phase], []
    for size in SIZES:
        x, peaks, calls = batch(size), {}, {}
        with FlopCounterMode(display=False) as counter:
            moved = x.nbytes + run(model, x).nbytes
        wanted = [mode for mode in compiled if mode != "max-autotune" or size in tuned]
        functions = {"eager": model} | {mode: compiled[mode] for mode in wanted}
        functions = {
            mode: function
            for mode, function in functions.items()
            if works(run, function, x)
        }
        for mode, function in functions.items():
            before = torch.cuda.memory_allocated()
            torch.cuda.reset_peak_memory_stats()
            run(function, x)
            torch.cuda.synchronize()
            peaks[mode] = (torch.cuda.max_memory_allocated() - before) / 2**20
            calls[mode] = max(2, min(100, int(2e4 / microseconds(run, function, x, 2))))
        flops, passes = counter.get_total_flops(), 3 if phase == "training" else 1
        least = max(flops / best.matmul, passes * moved / best.copy) * 1e6
        prepared.append(
            (size, x, functions, calls, {mode: [] for mode in functions}, peaks, least)
        )
    for _ in range(15):
        for _, x, functions, calls, samples, *_ in prepared:
            for mode, function in functions.items():
                samples[mode].append(microseconds(run, function, x, calls[mode]))
    for size, *_, samples, peaks, least in prepared:
        yield (
            size,
            {mode: median(times) for mode, times in samples.items()},
            peaks,
            least,
        )


if __name__ == "__main__":
    torch._dynamo.config.recompile_limit = 64
    compile_one(*sys.argv[1:])
