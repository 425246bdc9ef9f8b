"""``lab watch``: check again on each save, and go on when a lab is done."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console

from compile_lessons.labs.examiner import Examiner
from compile_lessons.labs.lab import Lab
from compile_lessons.labs.progress import Progress
from compile_lessons.labs.report import show_report


def watch(progress: Progress, console: Console) -> None:
    """Check the first lab that is not done, now and on each save, until all are done or Ctrl-C."""
    from watchfiles import watch as changes  # not needed by the other commands

    try:
        with Examiner(warm=True) as examiner:
            lab = _check(progress, examiner, console, "loading torch and checking …")
            saves = changes(progress.folder, debounce=50, step=20, raise_interrupt=True)
            while lab is not None:
                if any(Path(path).resolve() == progress.path(lab).resolve() for _, path in next(saves)):
                    lab = _check(progress, examiner, console)
    except KeyboardInterrupt:
        console.print("\nStopped. Next: compile-lessons lab watch, which goes on from here")


def _check(progress: Progress, examiner: Examiner, console: Console, status: str = "checking …") -> Lab | None:
    """Check the current lab, and the one after it once it is done. Returns the lab that is to be edited next."""
    console.clear()
    while (lab := progress.current()) is not None:
        started = progress.start(lab)
        path = progress.path(lab)
        console.rule(f"{len(progress.state.done)} done · {path}" + (" (new)" if started else ""))
        examiner.prepare(lab)
        began = time.monotonic()
        with console.status(status):
            report = examiner.examine(lab, path)
        status = "checking …"
        show_report(lab, report, "save it", console)
        console.rule(f"{time.monotonic() - began:.1f} s · checks again when you save · Ctrl-C ends it")
        if report.state != "done":
            return lab
        progress.mark(lab, done=True)
    console.print("Every lab is done.")
    return None
