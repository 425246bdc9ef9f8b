"""Run, record and check the snippets of the course, and start new lessons."""

import queue
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from compile_lessons.course.new import new_lesson, title
from compile_lessons.course.records.executor import Inbox
from compile_lessons.course.records.plan import plan
from compile_lessons.course.records.record import SnippetFailure
from compile_lessons.course.records.recordings import record_snippets
from compile_lessons.course.records.runner import SnippetOutcome, run_snippets
from compile_lessons.course.records.snippet import SnippetError
from compile_lessons.course.records.store import Store
from compile_lessons.course.site.background import RunReport, Server, read_requests
from compile_lessons.course.site.check import check as find_problems
from compile_lessons.course.site.check import outlived
from compile_lessons.course.site.pages import Use, read_pages
from compile_lessons.course.versions import compare_versions, list_changes, read_nearest, write_comparison
from compile_lessons.ground.command_line import command_group
from compile_lessons.ground.printing import printable, say
from compile_lessons.ground.processes import INTERRUPTED, end_with_starter
from compile_lessons.ground.project import COURSE, Project, ProjectError, find_project
from compile_lessons.ground.words import counted

app = command_group(__doc__)

_INTERRUPTED = "\ninterrupted: all processes were stopped; finished records are kept"


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
    server: Annotated[Server | None, typer.Option(hidden=True, help="Run what this server asks for.")] = None,
) -> None:
    """Run the snippets whose records are missing or out of date."""
    end_with_starter(signal.SIGINT)  # a server, or a build
    project = find_project()
    uses, _ = read_pages(project)
    if server:
        raise typer.Exit(_run_for_server(project, uses, server, fork))
    names = _names(project, paths or [], uses)
    start = partial(run_snippets, project, names, verify=verify, force=force, fork=fork)
    raise typer.Exit(_follow(start, len(names), uses))


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
        say(str(problem), error=True)
    if names := outlived(project):
        remedy = f"'{COURSE} record' renews them on a machine that has what they need"
        head = f"{counted(len(names), 'recording')} older than a change of the package; {remedy}:"
        say("\n".join([head, *(f"  snippets/{name}" for name in names)]), error=True)
    say(counted(len(problems), "problem"), error=True)
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
                say(f"{error} (its records are dropped)", error=True)
        say(f"deleted {Store(project).prune(keys)} files")
    files = [path for path in project.cache.rglob("*") if path.is_file()]
    say(f"{project.cache}: {len(files)} files, {sum(path.stat().st_size for path in files) / 2**20:.1f} MiB")


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
        say(write_comparison(project, comparison).relative_to(project.root).as_posix())
        return
    say(f"{comparison.snippets} snippets under torch {comparison.torch}, compared with {comparison.before}\n")
    say("\n".join(list_changes(comparison, read_nearest(project, comparison.torch))))


@app.command()
def new(page: Annotated[str, typer.Argument(help="The lesson's name, like dynamo/my-lesson.")]) -> None:
    """Start a lesson: a page with every part of the template, snippets that run, and a test."""
    project = find_project()
    paths = new_lesson(project, page)
    for path in paths:
        say(path.relative_to(project.root).as_posix())
    if paths[-1].name != "mkdocs.yml":
        entry = f"'- {title(page)}: {page}.md'"
        say(f"Next: add {entry} to 'nav' in mkdocs.yml, at the place where it should appear in the menu")
    say(f"Next: {COURSE} run docs/{page}.md && make quick, which says how docs/learn/index.md counts the lesson")


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


def _follow(start: Callable[..., list[SnippetOutcome]], total: int, uses: list[Use]) -> int:
    """Run, with a line for every snippet that ran. Returns the status of the command: 1 if a snippet failed."""
    console = _console()
    ended: Counter[str] = Counter()
    began = time.monotonic()

    def count() -> str:
        return f"[{ended.total():{len(str(total))}}/{total}]"

    def outcome(done: SnippetOutcome) -> None:
        ended[done.how] += 1
        if done.how != "cached":
            console.print(f"{count()} {_line(done)}")

    try:
        with console.status("") as status:
            outcomes = start(
                on_start=lambda name: status.update(f"{count()} running {name} …"),
                on_outcome=outcome,
            )
    except KeyboardInterrupt:
        say(_INTERRUPTED, error=True)
        return INTERRUPTED
    skipped = f", {ended['skipped']} skipped" if ended["skipped"] else ""
    console.print(
        f"{counted(ended.total(), 'snippet')} in {time.monotonic() - began:.1f} s: "
        f"{ended['fresh'] + ended['failed']} ran, {ended['cached']} unchanged{skipped}"
    )
    for done in outcomes:
        if done.failure:
            console.print(_report(done.name, done.failure, uses))
    return 1 if ended["failed"] else 0


def _run_for_server(project: Project, uses: list[Use], server: Server, fork: bool) -> int:
    """Run what the server asks for until it ends; tell it, and print a line for each snippet."""
    console, report = _console(), RunReport(project, server)
    inbox: Inbox = queue.SimpleQueue()
    threading.Thread(target=read_requests, args=[inbox], daemon=True).start()

    def outcome(done: SnippetOutcome) -> None:
        report.done(done)
        if done.how != "cached":
            progress = report.progress
            console.print(f"[{progress.ended}/{progress.ended + progress.left}] {_line(done)}")
        if done.failure:
            console.print(_report(done.name, done.failure, uses))

    try:
        run_snippets(
            project,
            [],
            fork=fork,
            requests=inbox,
            on_plan=report.planned,
            on_start=report.started,
            on_outcome=outcome,
        )
    except KeyboardInterrupt:
        if report.progress.left:
            say(_INTERRUPTED, error=True)
        return INTERRUPTED
    return 1


def _console() -> Console:
    return Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def _line(done: SnippetOutcome) -> str:
    if done.how == "skipped":
        return f"skipped  {done.name}: {done.reason}"
    return f"{'FAILED' if done.failure else f'{done.seconds:5.1f} s':>7}  {done.name}"


def _report(name: str, failure: SnippetFailure, uses: list[Use]) -> str:
    """What failed, where, what to do, and the pages that show it."""
    where = f"snippets/{name}" + (f":{failure.line}" if failure.line else "")
    lines = ["", failure.message if failure.message.startswith(where) else f"{where}: {failure.message}"]
    lines += [f"  Fix: {failure.remedy}"] if failure.remedy else []
    lines += [f"  shown on {use.place}" for use in uses if use.name == name]
    return printable("\n".join(lines))
