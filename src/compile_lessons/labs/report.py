"""How an answer fared, as data and as lines for the terminal."""

import textwrap
from pathlib import Path
from typing import Literal

import msgspec
from rich.console import Console

from compile_lessons.ground.printing import printable
from compile_lessons.ground.site import address
from compile_lessons.labs.lab import EVENING, Lab, next_lab
from compile_lessons.labs.progress import dir_option

State = Literal["done", "not done yet", "wrong", "raised", "ended", "needs"]

_STYLES = {"done": "green", "not done yet": "yellow"}
_WORDS = {
    "done": "done",
    "not done yet": "not done yet",
    "wrong": "not right yet",
    "raised": "your code raised an exception",
    "ended": "your code was stopped",
    "needs": "can't be checked on this machine",
}
_NEXT = {"not done yet": "follow the instructions at the top of the file", "needs": "install it"}
_MOST_PRINTED = 15  # lines
#: In a terminal with fewer columns, long lines are its to break: a table would lose its cells.
FEWEST_COLUMNS = 40


class LabReport(msgspec.Struct, kw_only=True):
    """The state of an answer. ``passed`` are the names of the checks that passed, ``failed`` that of the one that did
    not. ``notes`` are what checks measured. ``message`` says why it failed; ``trace`` are the learner's own lines;
    ``printed`` is what their code printed.

    ``ours`` says that the exception came from the check itself and not from the learner's lines. ``secret`` is what
    only the checks know once they have all passed.
    """

    state: State
    passed: list[str] = []
    failed: str = ""
    notes: list[str] = []
    message: str = ""
    lesson: str = ""
    trace: list[str] = []
    printed: str = ""
    ours: bool = False
    secret: str = ""


def show_report(
    lab: Lab, report: LabReport, path: Path, again: str, console: Console | None = None, watched: bool = False
) -> None:
    """Print what is done, what is not and why, and what to do next.

    ``path`` is the learner's file, and ``again`` the command that checks it again. ``watched`` says that the next lab
    follows by itself.
    """
    console, option = console or Console(), dir_option(path.parent)

    def line(text: str = "", style: str = "") -> None:
        indent = " " * (len(text) - len(text.lstrip()) + 2)
        lines = textwrap.wrap(
            printable(text), max(console.width, FEWEST_COLUMNS), subsequent_indent=indent, break_long_words=False
        ) or [""]
        console.print("\n".join(lines), style=style or None, markup=False, highlight=False, soft_wrap=True)

    color = _STYLES.get(report.state, "red")
    line(f"{lab.heading}: {_WORDS[report.state]}", f"bold {color}")
    for name, title in lab.titles.items():
        mark = "✓" if name in report.passed else "✗" if name == report.failed else "·"
        line(f"  {mark} {title}", {"✓": "green", "✗": "red"}.get(mark, "dim"))
    for text in filter(None, [*report.notes, report.message]):
        line()
        line(text)
    for text in report.trace:
        line(f"  {text}", "dim")
    if report.printed.strip():
        line()
        line("Your code printed:")
        for text in report.printed.rstrip().splitlines()[-_MOST_PRINTED:]:
            line(f"  | {text}", "dim")
    line()
    if report.state == "done":
        line(f"Key question: {lab.facts.question}")
        console.print(f"Its answer: {address(lab.page)}#key-question", soft_wrap=True)
        if lesson := EVENING.get(lab.slug):
            console.print(f"Next in One evening: {address(lesson)}", soft_wrap=True)
        after = next_lab(lab)
        if not watched:
            line(
                f"{'By number' if lesson else 'Next'}: compile-lessons lab start {after.facts.number}{option}"
                if after
                else "Next: this was the last lab"
            )
        return
    if report.state in ("wrong", "raised", "ended"):
        console.print(f"Lesson: {address(report.lesson or lab.facts.lessons[0])}", soft_wrap=True)
    line(f"Next: {_NEXT.get(report.state, 'change your file')}, then: {again}")
    line(f"Stuck? compile-lessons lab hint {lab.facts.number}{option}")
