"""Functions that compile again because the program has dropped their code."""

from collections import Counter
from collections.abc import Iterator

from compile_lessons.facts.run import Compile, Process, Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.words import counted, rough_duration

#: Once may be the begin of another part of the program.
_LEAST = 2


def resets(run: Run) -> Iterator[Finding]:
    """Yield a finding for each process in whose loop ``torch._dynamo.reset()`` is called."""
    for process in run.processes:
        again = _again(process)
        number = Counter((item.region, item.code) for item in again)
        if not again or max(number.values()) < _LEAST:
            continue
        most = max(again, key=lambda item: number[item.region, item.code])
        others = f" and {counted(len(number) - 1, 'other function')}" if len(number) > 1 else ""
        seconds = sum(item.all_seconds for item in again)
        lines = Counter(line for reset in process.resets if (line := reset.line))
        yield finding(
            fix("reset"),
            f"torch._dynamo.reset() made {process.name_of(most)}{others} compile again, {counted(len(again), 'time')}",
            seconds=seconds,
            where=(*(line for line, _ in lines.most_common(1)), most.code, process.use_of(most)),
            evidence=(f"{rough_duration(seconds)}, {seconds / run.seconds:.0%} of the run" if run.seconds else "",),
        )


def _again(process: Process) -> list[Compile]:
    """Return the first compile of each function after a reset, where the same use of torch.compile had one before.

    After a reset, torch's ids begin again. A use for each experiment has nothing that could be kept.
    """
    before = set[object]()
    again = []
    for item in process.compiles:
        if item.outcome != "compiled" or item.nested or item.guards:
            continue
        same = item.region, item.code
        if same in before and "#" in item.id:
            again.append(item)
        before.add(same)
    return again
