"""Autotuning: Inductor or Triton times candidates for a kernel, at the compile or at the first call."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lessons.facts.places import innermost, is_not_torch
from compile_lessons.facts.run import Compile, Process, Run
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules_of_run.recompiles import function_name
from compile_lessons.ground.words import counted, rough_duration

#: A run of which so much is spent on it, in seconds and as a share, gets advice.
_SECONDS = 2.0
_SHARE = 0.1


def autotuning(run: Run) -> Iterator[Finding]:
    """Yield advice for each process. Its seconds are part of those of the compiles."""
    for process in run.processes:
        tuned = [item for item in process.compiles if item.autotune_seconds]
        seconds = sum(item.autotune_seconds for item in tuned)
        if tuned and seconds >= max(_SECONDS, _SHARE * run.seconds):
            yield _finding(process, tuned, seconds)


def _finding(process: Process, tuned: list[Compile], seconds: float) -> Finding:
    most = max(tuned, key=lambda item: item.autotune_seconds)
    region = process.region(most.region)
    use = innermost(reversed(region.stack)) if region else None
    kernels = sum(item.autotuned for item in tuned)
    tuned_kernels = counted(kernels, "kernel") if kernels else "kernels"
    graphs = [cache for item in process.compiles for cache in item.caches]
    stored = "results are kept in the folder of TORCHINDUCTOR_CACHE_DIR"
    if graphs:
        stored = f"{graphs.count('hit')} of {counted(len(graphs), 'graph')} came from the cache; {stored}"
    return Finding(
        rule="autotuning",
        severity="advice",
        what=f"timing candidates for {tuned_kernels} of {function_name(most, region)} took {rough_duration(seconds)}",
        seconds=seconds,
        where=tuple(line for line in (use, most.code) if line and is_not_torch(line.file)),
        evidence=(f"{counted(len(tuned), 'compile')} did it", stored),
        remedy=(
            "keep that folder from run to run, with the same GPU, torch and sizes; "
            'or leave out mode="max-autotune" if the steps are not faster for it'
        ),
        lesson="inductor/max-autotune",
    )
