"""``lab watch``: check again on each save, and go on when a lab is done."""

import time
from pathlib import Path

from rich.console import Console

from compile_lessons.ground.files import modified
from compile_lessons.ground.printing import printable
from compile_lessons.labs.examiner import Examiner
from compile_lessons.labs.lab import Lab
from compile_lessons.labs.progress import Progress
from compile_lessons.labs.report import show_report

_POLL = 0.05


def watch(progress: Progress, lab: Lab | None, console: Console) -> None:
    """Check ``lab``, or the first lab that is not done, now and on each save, until all are done or Ctrl-C."""
    try:
        with Examiner(warm=True) as examiner:
            current = _check(progress, lab, examiner, console, "loading torch and checking …")
            while current is not None:
                lab, checked = current
                _wait_for_save(progress.path(lab), checked)
                current = _check(progress, lab, examiner, console)
    except KeyboardInterrupt:
        console.print("\nStopped. Next: compile-lessons lab watch, which continues from here")


def _check(
    progress: Progress, lab: Lab | None, examiner: Examiner, console: Console, status: str = "checking …"
) -> tuple[Lab, int] | None:
    """Check a lab, and once it is done the next one. Returns the lab to be edited, and when its file was saved."""
    console.clear()
    while (lab := lab or progress.current()) is not None:
        started = progress.start(lab)
        path = progress.path(lab)
        saved = modified(path)
        console.rule(printable(f"{len(progress.state.done)} done · {path}") + (" (new)" if started else ""))
        examiner.prepare(lab)
        began = time.monotonic()
        with console.status(status):
            report = examiner.examine(lab, path)
        status = "checking …"
        show_report(lab, report, path, "save it", console, watched=True)
        console.rule(f"{time.monotonic() - began:.1f} s · checks again when you save · Ctrl-C to stop")
        if report.state != "done":
            return lab, saved
        progress.mark(lab, done=True)
        lab = None
    console.print("Every lab is done.")
    return None


def _wait_for_save(path: Path, checked: int) -> None:
    """Wait until a file is not as it was when it was checked, nor about to change: editors write in several steps."""
    saved = checked
    while saved in (0, checked) or saved != modified(path):
        saved = modified(path)
        time.sleep(_POLL)
