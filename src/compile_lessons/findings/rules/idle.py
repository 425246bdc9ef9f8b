"""A GPU that waits for its next kernel, as a profile of steady calls shows it."""

from collections.abc import Iterator

from compile_lessons.facts.run import Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.compared import seconds_from_call_to_call
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.show.table import duration

#: The share of the time without a kernel that is worth a change, and how much of it has to be torch's own work on the
#: host. Where that is less, the GPU waits for something else of the program's, as for data.
_IDLE = 0.5
_OF_TORCH = 0.5


def idle_gpu(run: Run) -> Iterator[Finding]:
    """Yield advice for each process whose GPU waits for launches: more kernels a launch, or longer ones, help."""
    for process in run.processes:
        profile = process.profile
        if profile is None or profile.busy is None or profile.launching is None or not profile.steps:
            continue
        region = process.region(profile.region)
        # After the profile, as the profiler slows the calls that it sees.
        later = seconds_from_call_to_call(process.spans_of(region), profile.last + 1) if region else None
        a_call = profile.seconds / profile.steps if later is None else later
        busy = profile.busy / profile.steps
        idle = profile.seconds - profile.busy
        if busy > (1 - _IDLE) * a_call or profile.launching < _OF_TORCH * idle:
            continue
        kernels = round(sum(work.calls for work in profile.work) / profile.steps)
        recorded = any(item.trigger == "CUDAGRAPH_RECORDING" for item in process.intervals)
        yield finding(
            fix("gpu-idle", "recorded" if recorded else "any"),
            f"the GPU is idle for {1 - busy / a_call:.0%} of each step, and waits for launches",
            advice=True,
            where=(region.use, region.code) if region else (),
            evidence=(
                f"from call to call, {kernels} kernels and copies run for {duration(busy)} of {duration(a_call)}",
                f"for {profile.launching / idle:.0%} of the time without a kernel, torch works on the CPU, which "
                "launches them",
                "CUDA graphs are in use" if recorded else "",
            ),
        )
