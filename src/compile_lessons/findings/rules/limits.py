"""Kernels that are far from what the GPU can do, and take a part of the step that is worth a change."""

from collections.abc import Iterator

from compile_lessons.facts.run import ProfiledWork, Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.words import counted
from compile_lessons.show.table import duration

#: What of the step a kernel would save at the limit, from which it is worth a look; and its share of the limit.
_WORTH, _FAR = 0.05, 0.7


def kernels_below_the_limit(run: Run) -> Iterator[Finding]:
    """Yield advice for each kernel of compiled code, the one that would save most first."""
    for process in run.processes:
        profile = process.profile
        if profile is None or not profile.rates or not profile.seconds:
            continue
        for work in sorted(profile.work, key=lambda work: -work.to_gain):
            saves = work.to_gain / profile.seconds
            if work.compiled and work.least is not None and saves >= _WORTH and work.least < _FAR * work.seconds:
                yield _finding(work, saves, profile.seconds, profile.steps)


def _finding(work: ProfiledWork, saves: float, seconds: float, steps: int) -> Finding:
    share = (work.least or 0.0) / work.seconds
    limit = "copy rate" if work.moves else "rate of a large matmul"
    cause = "softmax" if "softmax_online" in work.name else "any"
    return finding(
        fix("below-the-limit", cause if work.name.startswith("triton_") else "matmul"),
        f"{work.name} runs at {share:.0%} of this GPU's {limit} and is {work.seconds / seconds:.0%} of the step: "
        f"{saves:.0%} to gain",
        advice=True,
        where=work.lines,
        evidence=(f"{duration(work.seconds / work.calls)} a launch, {work.calls} of them in {counted(steps, 'step')}",),
    )
