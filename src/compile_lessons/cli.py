"""The command ``compile-lessons``."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from compile_lessons.explain import explain
from compile_lessons.project import Project, ProjectError, find_project
from compile_lessons.records.plan import plan
from compile_lessons.records.runner import Outcome
from compile_lessons.records.runner import run as run_snippets
from compile_lessons.records.snippet import SnippetError
from compile_lessons.records.store import Store
from compile_lessons.site.pages import Embed, read_pages

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)
_DAYS_KEPT = 30
_WAKE_EVERY = 3.0


def _paragraphs(text: str) -> str:
    """Without the line ends of the source, which typer would keep from the second paragraph on."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


app.command(help=_paragraphs(explain.__doc__))(explain)


@app.command()
def run(
    paths: Annotated[list[str] | None, typer.Argument(help="Snippets, folders of them, or pages; all if none.")] = None,
    verify: Annotated[bool, typer.Option(help="Run each a second time and fail on undeclared differences.")] = False,
    force: Annotated[bool, typer.Option(help="Run also what has a current record.")] = False,
    fork: Annotated[
        bool, typer.Option(help="Fork from a process that has torch loaded; else start fresh ones.")
    ] = True,
    wake_pages: Annotated[bool, typer.Option(hidden=True, help="Touch the pages whose snippets are done.")] = False,
) -> None:
    """Run the snippets whose records are missing or out of date."""
    project = _project()
    embeds, _ = read_pages(project)
    names = _names(project, paths or [], embeds)
    progress = _Progress(len(names), _Waker(project, embeds) if wake_pages else None)
    _follow(partial(run_snippets, project, names, verify=verify, force=force, fork=fork), progress, embeds)


@app.command()
def record(
    paths: Annotated[list[str] | None, typer.Argument(help="Snippets, folders of them, or pages; all if none.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Record also what has a current recording.")] = False,
) -> None:
    """Run the snippets that want a GPU, on a machine that has one, and write their recordings beside them."""
    from compile_lessons.records.recorder import record as record_snippets

    project = _project()
    embeds, _ = read_pages(project)
    names = _names(project, paths or [], embeds)
    _follow(partial(record_snippets, project, names, every=every), _Progress(len(names), None), embeds)


@app.command()
def check(site: Annotated[Path | None, typer.Option(help="Also look through this built site.")] = None) -> None:
    """Find orphan snippets, broken embeds, stale or missing records and, with --site, failures in the built pages."""
    from compile_lessons.site.check import check as find_problems  # needs the site's extra

    problems = find_problems(_project(), site)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(problems)} problem{'s' if len(problems) != 1 else ''}", file=sys.stderr)
    raise typer.Exit(1 if problems else 0)


@app.command()
def cache(prune: Annotated[bool, typer.Option(help="Delete what no snippet needs any more.")] = False) -> None:
    """Say where the cache is and how large; with --prune, delete old entries."""
    project = _project()
    if prune:
        keep = set()
        for name in project.snippet_names():
            try:
                keep.add(plan(project, name).key)
            except SnippetError as error:
                print(f"{error} (its records are dropped)", file=sys.stderr)
        gone = Store(project).prune(keep) + _prune_old(project)
        print(f"deleted {gone} files")
    files = [path for path in project.cache.rglob("*") if path.is_file()]
    print(f"{project.cache}: {len(files)} files, {sum(path.stat().st_size for path in files) / 2**20:.1f} MiB")


def _follow(start: Callable[..., list[Outcome]], progress: _Progress, embeds: list[Embed]) -> None:
    """Run, showing the progress, and end the command: status 1 if a snippet failed."""
    try:
        outcomes = start(on_start=progress.start, on_outcome=progress.outcome)
    except ProjectError as error:
        _stop(str(error))
    except KeyboardInterrupt:
        print("\ninterrupted: every process was ended; finished records are kept", file=sys.stderr)
        raise typer.Exit(130) from None
    progress.close()
    failed = [outcome for outcome in outcomes if outcome.how == "failed"]
    for outcome in failed:
        _report(outcome, embeds)
    raise typer.Exit(1 if failed else 0)


def _project() -> Project:
    try:
        return find_project()
    except ProjectError as error:
        _stop(str(error))


def _stop(message: str) -> None:
    print(message, file=sys.stderr)
    raise typer.Exit(2)


def _names(project: Project, paths: list[str], embeds: list[Embed]) -> list[str]:
    """The snippets that the arguments name: files, folders, or pages that embed them; all for no argument."""
    every = project.snippet_names()
    if not paths:
        opened_first = {embed.name for embed in embeds if embed.page == "docs/index.md"}
        return sorted(every, key=lambda name: name not in opened_first)
    names: list[str] = []
    for path in paths:
        place = Path(path).resolve()
        if place.suffix == ".md":
            page = place.relative_to(project.root).as_posix() if place.is_relative_to(project.root) else path
            chosen = sorted({embed.name for embed in embeds if embed.page == page})
        else:
            wanted = (
                place.relative_to(project.snippets).as_posix()
                if place.is_relative_to(project.snippets)
                else path.rstrip("/")
            )
            chosen = [name for name in every if name == wanted or name.startswith(wanted + "/") or wanted == "."]
        if not chosen:
            _stop(f"{path}: no snippet, folder of snippets or page with snippets by that name")
        names += [name for name in chosen if name not in names]
    return names


def _report(outcome: Outcome, embeds: list[Embed]) -> None:
    failure = outcome.failure
    where = f"snippets/{outcome.name}" + (f":{failure.line}" if failure.line else "")
    message = failure.message if failure.message.startswith(where) else f"{where}: {failure.message}"
    print(f"\n{message}", file=sys.stderr)
    if failure.remedy:
        print(f"  to mend it: {failure.remedy}", file=sys.stderr)
    for embed in embeds:
        if embed.name == outcome.name:
            print(f"  shown on {embed.place}", file=sys.stderr)


class _Progress:
    """A line for every snippet that ran: how many are done, how long it took, which one."""

    def __init__(self, total: int, waker: _Waker | None) -> None:
        self.total, self.waker = total, waker
        self.ended = Counter()
        self.began = time.monotonic()

    def start(self, name: str) -> None:
        if sys.stderr.isatty():
            print(f"{self._count()} running {name} …", end="\r", file=sys.stderr, flush=True)

    def outcome(self, outcome: Outcome) -> None:
        self.ended[outcome.how] += 1
        if outcome.how == "cached":
            return
        if outcome.how == "skipped":
            print(f"{self._count()} skipped  {outcome.name}: {outcome.reason}", file=sys.stderr)
        else:
            mark = "FAILED" if outcome.failure else f"{outcome.seconds:5.1f} s"
            erased = "\033[K" if sys.stderr.isatty() else ""  # what is left of the line "running …"
            print(f"{self._count()} {mark:>7}  {outcome.name}{erased}", file=sys.stderr)
        if self.waker:
            self.waker.done(outcome.name)

    def close(self) -> None:
        ran = self.ended["fresh"] + self.ended["failed"]
        skipped = f", {self.ended['skipped']} skipped" if self.ended["skipped"] else ""
        print(
            f"{self.ended.total()} snippets in {time.monotonic() - self.began:.1f} s: "
            f"{ran} ran, {self.ended['cached']} unchanged{skipped}",
            file=sys.stderr,
        )
        if self.waker:
            self.waker.wake()

    def _count(self) -> str:
        width = len(str(self.total))
        return f"[{self.ended.total():{width}}/{self.total}]"


class _Waker:
    """Touches pages whose snippets are done, a few at a time, so that a server that watches them reloads."""

    def __init__(self, project: Project, embeds: list[Embed]) -> None:
        self.project, self.embeds = project, embeds
        self.pages: set[str] = set()
        self.woke = time.monotonic()

    def done(self, name: str) -> None:
        self.pages |= {embed.page for embed in self.embeds if embed.name == name}
        if time.monotonic() - self.woke > _WAKE_EVERY:
            self.wake()

    def wake(self) -> None:
        for page in self.pages:
            os.utime(self.project.root / page)
        self.pages.clear()
        self.woke = time.monotonic()


def _prune_old(project: Project) -> int:
    """Delete compiled objects and headers not made in the last month, and folders of runs that were cut off."""
    limit, gone = time.time() - _DAYS_KEPT * 24 * 3600, 0
    for folder in ("objects", "headers"):
        for path in (project.cache / folder).rglob("*"):
            if path.is_file() and path.stat().st_mtime < limit:
                path.unlink()
                gone += 1
    for run_folder in (project.cache / "runs").glob("*"):
        if run_folder.stat().st_mtime < time.time() - 24 * 3600:
            gone += sum(1 for path in run_folder.rglob("*") if path.is_file())
            shutil.rmtree(run_folder)
    return gone
