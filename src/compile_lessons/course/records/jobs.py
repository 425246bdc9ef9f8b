"""The process that the course's snippets run in: it loads torch, then forks for every run.

Reads jobs from standard input, one JSON object a line, runs each at once, and ends after the last one. Writes events to
standard output, one JSON object a line: ``{"type": "Started", "folder": …}`` and
``{"type": "Finished", "folder": …, …}``.
"""

import os
import queue
import signal
import sys
import threading
import traceback
from pathlib import Path

import msgspec

from compile_lessons.ground.printing import say
from compile_lessons.ground.processes import adopt_orphans, end_on_signals, end_with_starter
from compile_lessons.runs.child import Job
from compile_lessons.runs.pool import Finished, Started, serve, warm_up_pool


def main() -> None:
    """Entry: ``jobs CACHE_FOLDER OWN_FOLDER WARM_UP`` with WARM_UP a ``WarmUp``."""
    cache, own, warm = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    end_on_signals()
    adopt_orphans()
    end_with_starter(signal.SIGINT)
    events = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever torch prints must not mix with the events

    if warm != "none":
        try:
            warm_up_pool(cache, own, compiler=warm == "compiler")
        except Exception:  # such as a compiler that does not work: every snippet that needs it says so
            say(traceback.format_exc(), error=True)

    def emit(event: Started | Finished) -> None:
        events.write(msgspec.json.encode(event) + b"\n")

    jobs = queue.SimpleQueue[Job | None]()
    threading.Thread(target=_read_jobs, args=[jobs], daemon=True).start()
    serve(jobs, emit)


def _read_jobs(jobs: queue.SimpleQueue[Job | None]) -> None:
    with open(0, "rb", closefd=False) as lines:  # sys.stdin would be locked in each fork
        for line in lines:
            jobs.put(msgspec.json.decode(line, type=Job))
    jobs.put(None)


if __name__ == "__main__":
    main()
