"""A GPU that waits for its next kernel, as a profile of steady calls shows it."""

from collections.abc import Iterator

from compile_lessons.facts.run import Process, Profile, Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.show.table import duration

#: The share of the time without a kernel that is worth a change, and how much of it has to be torch's own work on the
#: host. Where that is less, the GPU waits for something else of the program's, as for data.
_IDLE = 0.5
_OF_TORCH = 0.5
#: Calls after the profile that tell how long one takes without it.
_FEWEST = 3


def idle_gpu(run: Run) -> Iterator[Finding]:
    """Yield advice for each process whose GPU waits for launches: more kernels a launch, or longer ones, help."""
    for process in run.processes:
        profile = process.profile
        if profile is None or profile.busy is None or profile.launching is None or not profile.steps:
            continue
        a_call = _seconds_of_a_call(process, profile)
        busy = profile.busy / profile.steps
        idle = profile.seconds - profile.busy
        if busy > (1 - _IDLE) * a_call or profile.launching < _OF_TORCH * idle:
            continue
        region = process.region(profile.region)
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


def _seconds_of_a_call(process: Process, profile: Profile) -> float:
    """Return the time from call to call after the profile, as the profiler slows the calls that it sees."""
    done, later = 0, []
    for span in (span for span in process.spans if span.region == profile.region):
        if done > profile.last:
            later.append(span)
        done += span.calls
    calls = sum(span.calls for span in later)
    if calls < _FEWEST:
        return profile.seconds / profile.steps
    return (later[-1].end - later[0].since) / calls
