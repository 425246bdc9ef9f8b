"""Functions that forked processes compile, as the workers of a DataLoader do: each new process compiles them again."""

from collections import Counter
from collections.abc import Iterator

from compile_lessons.facts.run import Run, joined
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.groups import grouped
from compile_lessons.ground.words import counted, rough_duration

#: Less time is not worth a change.
_SECONDS = 1.0


def compiles_in_workers(run: Run) -> Iterator[Finding]:
    """Yield a finding for each line that forks processes again after others have ended, as each epoch does, if they
    compile the same function."""
    forked = ((process.fork, process) for process in run.processes)
    for line, workers in grouped((line, process) for line, process in forked if line).items():
        compiled = [[item for item in worker.compiles if item.outcome == "compiled"] for worker in workers]
        number = Counter(code for items in compiled for code in {item.code for item in items})  # of workers
        by_code = grouped((item.code, item) for items in compiled for item in items if number[item.code] > 1)
        same = list(by_code.values())
        waited = sum(end - start for start, end in joined((c.start, c.ends) for items in same for c in items))
        is_again = max(worker.start for worker in workers) > min(worker.end for worker in workers)
        if waited < _SECONDS or not is_again:
            continue
        most = max(same, key=lambda items: sum(item.seconds for item in items))
        compiling = sum(bool(worker.compiles) for worker in workers)
        seconds = rough_duration(sum(item.seconds for item in most))
        yield finding(
            fix("compiled-in-workers"),
            f"{most[0].name} is compiled in each of {counted(compiling, 'worker')} that this line forks",
            seconds=waited,
            where=(line, most[0].code),
            evidence=(
                f"{counted(len(most), 'compile')}, {seconds} in all processes",
                "what a process compiles ends with it",
            ),
        )
