"""The process between the command and the learner's code: it starts one run after the other and ends what is left.

Reads jobs from standard input, one JSON object a line, and answers each with one line, how the run ended. Called as
``judge WARM CACHE_FOLDER``: with WARM ``compiler`` or ``eager`` it first loads torch and compiles one tiny
function, so that each run is a fork that starts at once; with ``none`` each run is an interpreter of its own.
"""

import os
import queue
import signal
import sys
import tempfile
from pathlib import Path

import msgspec

from compile_lessons.ground import processes
from compile_lessons.runs import pool
from compile_lessons.runs.child import Job
from compile_lessons.runs.pool import Finished, Started


def main() -> None:
    warm, cache = sys.argv[1], Path(sys.argv[2])
    processes.adopt_orphans()
    processes.end_on_signals()  # Ctrl-C in a terminal interrupts this process too
    processes.end_with_starter(signal.SIGINT)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    if pool.CAN_FORK:
        os.register_at_fork(after_in_child=answers.close)  # a run writes no answers
    os.dup2(2, 1)  # whatever torch prints must not mix with the answers
    if warm != "none":
        with tempfile.TemporaryDirectory() as own:
            pool.warm_up_pool(cache, Path(own), compiler=warm == "compiler")
        from compile_lessons.labs import exam  # noqa: F401 (what each run imports)

    for line in sys.stdin.buffer:
        answers.write(msgspec.json.encode(run_to_end(msgspec.json.decode(line, type=Job))) + b"\n")


def run_to_end(job: Job) -> Finished:
    """Run one job to its end. Whatever this process has started ends with it."""
    jobs, events = queue.SimpleQueue[Job | None](), list[Started | Finished]()
    jobs.put(job)
    jobs.put(None)
    pool.serve(jobs, events.append)
    finished = events[-1]
    assert isinstance(finished, Finished)
    return finished


if __name__ == "__main__":
    main()
