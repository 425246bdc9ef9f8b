"""The commands ``compile-lessons lab …``."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table

from compile_lessons.ground.command_line import command_group
from compile_lessons.ground.printing import printable
from compile_lessons.ground.site import address
from compile_lessons.ground.words import counted
from compile_lessons.labs.examiner import Examiner
from compile_lessons.labs.lab import TRACKS, Lab, LabError, find_lab, labs
from compile_lessons.labs.progress import Progress, dir_option, find_progress
from compile_lessons.labs.report import FEWEST_COLUMNS, show_report
from compile_lessons.labs.watch import watch as watch_folder

app = command_group("Exercises on your machine that check themselves.")

_NEEDS = {"compiler": "a C++ compiler", "triton": "Triton"}
_Name = Annotated[str, typer.Argument(metavar="N", help="The lab's number or name.")]
_NameOrCurrent = Annotated[
    str | None, typer.Argument(metavar="[N]", help="The lab's number or name; by default, your current lab.")
]
_Folder = Annotated[str | None, typer.Option("--dir", metavar="DIR", help="Your folder, if it isn't ./labs.")]


@app.command("list")
def list_labs(folder: _Folder = None) -> None:
    """Show every lab and which ones you have done."""
    progress = find_progress(folder)
    for track in TRACKS:
        columns = ("", Column("N", justify="right"), "lab", Column("minutes", justify="right"), "needs")
        table = Table(*columns, title=f"Track: {track}", title_justify="left", box=None, pad_edge=False)
        for lab in labs():
            facts = lab.facts
            if facts.track == track:
                needs = ", ".join(_NEEDS[need] for need in facts.needs)
                mark = "✓" if lab.slug in progress.state.done else "…" if progress.is_started(lab) else " "
                table.add_row(mark, str(facts.number), facts.title, str(facts.minutes), needs)
        _console().print(table, "")
    _say(f"{len(progress.state.done)} of {len(labs())} done. {_advice(progress)}")


@app.command()
def start(name: _Name, folder: _Folder = None) -> None:
    """Write the lab's file into your folder. An existing file is left unchanged."""
    lab, progress = find_lab(name), find_progress(folder)
    written = progress.start(lab)
    path = progress.path(lab)
    _say(f"{lab.heading}, about {lab.facts.minutes} minutes: {'wrote' if written else 'kept your'} {path}")
    _say(f"Page:  {address(lab.page)}")
    _say(f"Next:  open {path} in your editor, and run: compile-lessons lab watch{dir_option(folder)}")


@app.command()
def check(name: _NameOrCurrent = None, folder: _Folder = None) -> None:
    """Check your file. The exit status is 0 if the lab is done."""
    lab, progress = _lab_and_progress(name, folder)
    path = progress.answer(lab)
    with _console().status("loading torch and checking …"), Examiner() as examiner:
        report = examiner.examine(lab, path)
    show_report(lab, report, path, _again(lab, folder), _console())
    progress.mark(lab, report.state == "done")
    raise typer.Exit(0 if report.state == "done" else 1)


@app.command()
def hint(name: _NameOrCurrent = None, folder: _Folder = None) -> None:
    """Show the hints that you have read and the next one."""
    from rich.markdown import Markdown  # here, as no other command needs these 0.1 s

    lab, progress = _lab_and_progress(name, folder)
    progress.answer(lab)
    shown, every = progress.next_hint(lab), len(lab.facts.hints)
    for number, text in enumerate(lab.facts.hints[:shown], 1):
        _say(f"Hint {number} of {every}", "bold")
        _console().print(Markdown(text))
    more = f"compile-lessons lab hint {lab.facts.number}{dir_option(folder)} shows one more"
    if shown == every:
        command = f"compile-lessons lab solution {lab.facts.number}{dir_option(folder)}"
        more = f"that was the last hint; {command} shows a solution"
    _say(f"Next: {_again(lab, folder)}; {more}")


@app.command()
def watch(name: _NameOrCurrent = None, folder: _Folder = None) -> None:
    """Check your file each time you save it, and go on to the next lab when one is done. Press Ctrl-C to stop."""
    watch_folder(find_progress(folder), find_lab(name) if name else None, _console())


@app.command()
def solution(
    name: _Name, yes: Annotated[bool, typer.Option("--yes", help="Don't ask first.")] = False, folder: _Folder = None
) -> None:
    """Print a solution, after asking. Your file is left unchanged."""
    from rich.syntax import Syntax  # here, as above

    lab, progress = find_lab(name), find_progress(folder)
    left = len(lab.facts.hints) - progress.state.hints.get(lab.slug, 0)
    if lab.slug not in progress.state.done and not yes:
        hints = f", and there {'is' if left == 1 else 'are'} {counted(left, 'more hint')}" if left else ""
        typer.confirm(f"You have not done {lab.heading} yet{hints}. Show it?", abort=True)
    _console().print(Syntax(lab.solution, "python", background_color="default"))
    _say(f"Other answers are right too. The lab's page: {address(lab.page)}")


@app.command()
def reset(name: _Name, folder: _Folder = None) -> None:
    """Start the lab again. Your file is kept next to the new one, with a number in its name."""
    lab, progress = find_lab(name), find_progress(folder)
    backup = progress.reset(lab)
    _say(f"{progress.path(lab)} is reset to the stub. Your previous answer is kept in {backup}")
    _say(f"Next: {_again(lab, folder)}")


def _lab_and_progress(name: str | None, folder: str | None) -> tuple[Lab, Progress]:
    """Return the lab that is named, or the one under way. Raises ``LabError``."""
    progress = find_progress(folder)
    lab = find_lab(name) if name else progress.current()
    if lab is None:
        raise LabError("every lab is done. Fix: name one, as in: compile-lessons lab check 1")
    return lab, progress


def _console() -> Console:
    console = Console(highlight=False)
    return console if console.width >= FEWEST_COLUMNS else Console(highlight=False, width=FEWEST_COLUMNS)


def _say(text: str, style: str | None = None) -> None:
    _console().print(printable(text), style=style, markup=False, soft_wrap=True)


def _again(lab: Lab, folder: str | None) -> str:
    return f"compile-lessons lab check {lab.facts.number}{dir_option(folder)}"


def _advice(progress: Progress) -> str:
    lab = progress.current()
    if lab is None:
        return "Every lab is done."
    number = lab.facts.number
    command = f"check {number}" if progress.is_started(lab) else f"start {number}"
    return f"Next: compile-lessons lab {command} ({lab.facts.title})"
