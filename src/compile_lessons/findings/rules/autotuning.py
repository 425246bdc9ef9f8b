"""Autotuning: Inductor or Triton times candidates for a kernel, at the compile or at the first call."""

from collections.abc import Iterator

from compile_lessons.facts.run import Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.rules.compile_time import cache_hits
from compile_lessons.ground.words import counted, rough_duration

#: A run of which so much is spent on it, in seconds and as a share, gets advice.
_SECONDS, _SHARE = 2.0, 0.1


def autotuning(run: Run) -> Iterator[Finding]:
    """Yield advice for each process. Its seconds are part of those of the compiles."""
    for process in run.processes:
        tuned = [item for item in process.compiles if item.autotune_seconds]
        seconds = sum(item.autotune_seconds for item in tuned)
        if not tuned or seconds < max(_SECONDS, _SHARE * run.seconds):
            continue
        most = max(tuned, key=lambda item: item.autotune_seconds)
        kernels = sum(item.autotuned for item in tuned)
        tuned_kernels = counted(kernels, "kernel") if kernels else "kernels"
        yield finding(
            fix("autotuning"),
            f"timing candidates for {tuned_kernels} of {process.name_of(most)} took {rough_duration(seconds)}",
            advice=True,
            seconds=seconds,
            where=(process.use_of(most), most.code),
            evidence=(
                f"{counted(len(tuned), 'compile')} did it",
                cache_hits(process.compiles),
                "results are kept in the folder of TORCHINDUCTOR_CACHE_DIR",
            ),
        )
