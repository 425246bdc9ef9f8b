"""Run, record and check the snippets of the course, and start new lessons."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from compile_lessons.course.new import new_lesson, title
from compile_lessons.course.versions import compare_versions, list_changes, read_nearest, write_comparison
from compile_lessons.ground.command_line import command_group
from compile_lessons.ground.processes import INTERRUPTED, end_with_starter
from compile_lessons.ground.project import COURSE, Project, ProjectError, find_project
from compile_lessons.ground.words import counted
from compile_lessons.records.executor import WarmPool, warm_pool
from compile_lessons.records.plan import plan
from compile_lessons.records.progress import end_progress
from compile_lessons.records.record import SnippetFailure
from compile_lessons.records.recordings import record_snippets
from compile_lessons.records.runner import SnippetOutcome, run_snippets
from compile_lessons.records.snippet import SnippetError
from compile_lessons.records.store import Store
from compile_lessons.site.check import check as find_problems
from compile_lessons.site.check import outlived
from compile_lessons.site.pages import Use, read_pages
from compile_lessons.site.waking import Server, Waker

app = command_group(__doc__)


@app.command()
def run(
    paths: Annotated[list[str] | None, typer.Argument(help="Snippets, folders or pages; by default all.")] = None,
    verify: Annotated[
        bool, typer.Option(help="Run each snippet a second time and fail on undeclared differences.")
    ] = False,
    force: Annotated[bool, typer.Option(help="Also run snippets whose record is current.")] = False,
    fork: Annotated[
        bool, typer.Option(help="Fork from a process that has torch loaded; otherwise start new processes.")
    ] = True,
    server: Annotated[Server | None, typer.Option(hidden=True, help="Have this server show what is done.")] = None,
    spinner: Annotated[bool, typer.Option(hidden=True, help="Others write to the terminal too: print lines.")] = True,
    stand_by: Annotated[
        bool, typer.Option(hidden=True, help="Load torch, then read names, a line for each run.")
    ] = False,
) -> None:
    """Run the snippets whose records are missing or out of date."""
    end_with_starter(signal.SIGINT)  # a server, or a build
    project = find_project()

    def run_once(paths: list[str], warm: WarmPool | None = None) -> int:
        uses, _ = read_pages(project)
        names = _names(project, paths, uses)
        waker = Waker(project, uses, len(names), server) if server else None
        start = partial(run_snippets, project, names, verify=verify, force=force, fork=fork, warm=warm)
        return _follow(start, len(names), uses, waker, spinner)

    if not stand_by:
        raise typer.Exit(run_once(paths or []))
    with warm_pool(project) as warm, contextlib.suppress(KeyboardInterrupt):
        for line in sys.stdin:
            with contextlib.suppress(typer.Exit):  # a snippet that was deleted meanwhile
                run_once(line.split(), warm)
            print(".", end="", flush=True)  # tells the server that this run has ended
            if warm.process.poll() is not None:  # out of memory, say: the server starts another command
                break


@app.command()
def record(
    paths: Annotated[list[str] | None, typer.Argument(help="Snippets, folders or pages; by default all.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Also record snippets whose recording is current.")] = False,
) -> None:
    """Run the snippets that need a GPU or the extra "peers", on such a machine, and write a recording next to each."""
    project = find_project()
    uses, _ = read_pages(project)
    names = _names(project, paths or [], uses)
    raise typer.Exit(_follow(partial(record_snippets, project, names, every=every), len(names), uses))


@app.command()
def check(site: Annotated[Path | None, typer.Option(help="Also check this built site.")] = None) -> None:
    """Find orphan snippets, broken embeds, stale or missing records and, with --site, failures in the built pages."""
    project = find_project()
    problems = find_problems(project, site)
    for problem in problems:
        print(problem, file=sys.stderr)
    if names := outlived(project):
        remedy = f"'{COURSE} record' renews them on a machine that has what they need"
        print(f"{counted(len(names), 'recording')} older than a change of the package; {remedy}:", file=sys.stderr)
        print(*(f"  snippets/{name}" for name in names), sep="\n", file=sys.stderr)
    print(counted(len(problems), "problem"), file=sys.stderr)
    raise typer.Exit(1 if problems else 0)


@app.command()
def cache(prune: Annotated[bool, typer.Option(help="Delete old records that no snippet needs.")] = False) -> None:
    """Print where the cache is and how large it is; with --prune, delete old entries."""
    project = find_project()
    if prune:
        keys = set()
        for name in project.snippet_names():
            try:
                keys.add(plan(project, name).key)
            except SnippetError as error:
                print(f"{error} (its records are dropped)", file=sys.stderr)
        print(f"deleted {Store(project).prune(keys)} files")
    files = [path for path in project.cache.rglob("*") if path.is_file()]
    print(f"{project.cache}: {len(files)} files, {sum(path.stat().st_size for path in files) / 2**20:.1f} MiB")


@app.command()
def versions(
    before: Annotated[Path, typer.Argument(help="The cache folder of a run under the torch to compare with.")],
    after: Annotated[Path, typer.Argument(help="The cache folder of a run under a different torch.")],
    commit: Annotated[
        bool, typer.Option(help="Write the differences to the file that the page Versions reads.")
    ] = False,
) -> None:
    """List in Markdown the facts that differ between two torch versions and aren't committed for the nearest one."""
    project = find_project()
    uses, _ = read_pages(project)
    pages = {use.name: use.page.removeprefix("docs/").removesuffix(".md") for use in reversed(uses)}  # the first one
    comparison = compare_versions(project, before, after, pages)
    if commit:
        print(write_comparison(project, comparison).relative_to(project.root))
        return
    print(f"{comparison.snippets} snippets under torch {comparison.torch}, compared with {comparison.before}\n")
    print(*list_changes(comparison, read_nearest(project, comparison.torch)), sep="\n")


@app.command()
def new(page: Annotated[str, typer.Argument(help="The lesson's name, like dynamo/my-lesson.")]) -> None:
    """Start a lesson: a page with every part of the template, snippets that run, and a test."""
    project = find_project()
    paths = new_lesson(project, page)
    for path in paths:
        print(path.relative_to(project.root).as_posix())
    if paths[-1].name != "mkdocs.yml":
        entry = f"'- {title(page)}: {page}.md'"
        print(f"Next: add {entry} to 'nav' in mkdocs.yml, at the place where it should appear in the menu")
    print(f"Next: {COURSE} run docs/{page}.md && make quick, which says how docs/learn/index.md counts the lesson")


def _names(project: Project, paths: list[str], uses: list[Use]) -> list[str]:
    """The snippets that the arguments name: files, folders, or pages that embed them.

    For no argument all of them, in the order of the menu: a reader begins with the first pages.
    """
    every = project.snippet_names()
    if not paths:
        menu = project.menu()
        first_page = {use.name: use.page for use in sorted(uses, key=lambda use: -menu.get(use.page, len(menu)))}
        return sorted(every, key=lambda name: menu.get(first_page.get(name, ""), len(menu)))
    names: list[str] = []
    for path in paths:
        chosen = _named(project, path, every, uses)
        if not chosen:
            raise ProjectError(f"{path}: no snippet, folder of snippets or page with snippets by that name")
        names += chosen
    return list(dict.fromkeys(names))


def _named(project: Project, path: str, every: list[str], uses: list[Use]) -> list[str]:
    """The snippets of one argument, ``docs/dynamo/guards.md``, ``snippets/dynamo`` or ``dynamo/guards/causes.py``."""
    place = Path(path).resolve()
    if place.suffix == ".md":
        return sorted({use.name for use in uses if (project.root / use.page) == place})
    inside = place.is_relative_to(project.snippets)
    name = place.relative_to(project.snippets).as_posix() if inside else path.rstrip("/")
    return [item for item in every if item == name or item.startswith(f"{name}/") or name == "."]


def _follow(
    start: Callable[..., list[SnippetOutcome]],
    total: int,
    uses: list[Use],
    waker: Waker | None = None,
    spinner: bool = True,
) -> int:
    """Run, with a line for every snippet that ran. Returns the status of the command: 1 if a snippet failed."""
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    ended: Counter[str] = Counter()
    began = time.monotonic()

    def count() -> str:
        return f"[{ended.total():{len(str(total))}}/{total}]"

    def planned(count: int) -> None:
        if not spinner and total > 1:
            console.print(f"{ended.total()} of {total} snippets have a record, {count} to run")

    def outcome(done: SnippetOutcome) -> None:
        ended[done.how] += 1
        if done.how == "skipped":
            console.print(f"{count()} skipped  {done.name}: {done.reason}")
        elif done.how != "cached":
            console.print(f"{count()} {'FAILED' if done.failure else f'{done.seconds:5.1f} s':>7}  {done.name}")
        if waker:
            waker.done(done)

    def started(name: str) -> None:
        status.update(f"{count()} running {name} …")
        if waker:
            waker.started(name)

    try:
        status = console.status("")
        with status if spinner else contextlib.nullcontext():
            outcomes = start(on_plan=planned, on_start=started, on_outcome=outcome)
    except KeyboardInterrupt:
        print("\ninterrupted: all processes were stopped; finished records are kept", file=sys.stderr)
        return INTERRUPTED
    finally:
        if waker:
            end_progress(waker.project)
    skipped = f", {ended['skipped']} skipped" if ended["skipped"] else ""
    console.print(
        f"{counted(ended.total(), 'snippet')} in {time.monotonic() - began:.1f} s: "
        f"{ended['fresh'] + ended['failed']} ran, {ended['cached']} unchanged{skipped}"
    )
    if waker:
        waker.wake()
    for done in outcomes:
        if done.failure:
            console.print(_report(done.name, done.failure, uses))
    return 1 if ended["failed"] else 0


def _report(name: str, failure: SnippetFailure, uses: list[Use]) -> str:
    """What failed, where, what to do, and the pages that show it."""
    where = f"snippets/{name}" + (f":{failure.line}" if failure.line else "")
    lines = ["", failure.message if failure.message.startswith(where) else f"{where}: {failure.message}"]
    lines += [f"  Fix: {failure.remedy}"] if failure.remedy else []
    lines += [f"  shown on {use.place}" for use in uses if use.name == name]
    return "\n".join(lines)
