"""The parts of the bench: each makes its projects in a folder of its own, times them and returns a table of figures."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from measure import BenchError, Part, Timed, alternating, ratio, timed

import projects
from projects import BUILD, RUN, SNIPPETS, Caches

CORES = len(os.sched_getaffinity(0))
STATES = {"cold": "no compiled C++ at hand", "warm": "compiled C++ at hand, nothing recorded"}
_FLOOR = Path(__file__).parent / "floor.py"
Contender = Callable[[Path, Caches], str]


def seconds(contender: Contender, project: Path, caches: Caches, state: str) -> float:
    """Seconds of one run from that state: ``warm`` keeps what a cold run has compiled before.

    Raises ``BenchError`` if a snippet's result is not in what the contender returns.
    """
    caches.empty() if state == "cold" else caches.keep_objects()
    for made in ("site", ".cache"):  # mkdocs-jupyter keeps what it has executed in the project
        shutil.rmtree(project / made, ignore_errors=True)
    began = time.perf_counter()
    text = contender(project, caches)
    spent = time.perf_counter() - began
    projects.check_shown(text)
    return spent


def floor(folder: Path, caches: Caches) -> str:
    """The parent that forks, and nothing recorded."""
    return timed([sys.executable, _FLOOR, SNIPPETS, caches.inductor], folder, caches.env).printed


def run_ours(project: Path, caches: Caches) -> str:
    """``python -m compile_lessons.course run``; the results are in the records."""
    timed(RUN, project, caches.env)
    return "".join(output["text"] for record in caches.records().values() for output in record["outputs"])


def run_and_build(project: Path, caches: Caches) -> str:
    timed(RUN, project, caches.env)
    return build(project, caches)


def build(project: Path, caches: Caches) -> str:
    timed(BUILD, project, caches.env)
    return projects.site_text(project)


def process_each(folder: Path, caches: Caches, at_once: int) -> str:
    """``python snippet.py`` for each, in the reader's own environment."""
    commands = [[sys.executable, SNIPPETS / name] for name in projects.bench_snippets()]
    with ThreadPoolExecutor(at_once) as threads:
        return "".join(
            done.printed for done in threads.map(lambda command: timed(command, folder, caches.env), commands)
        )


def against_floor(folder: Path, repeat: int) -> Part:
    """``python -m compile_lessons.course run`` against the floor, in pairs, in both states of the compiled C++."""
    part = Part("The run of the snippets against the floor")
    ours, theirs = Caches(folder / "cache-ours"), Caches(folder / "cache-floor")
    project = projects.make_ours(folder / "ours")
    for state, meaning in STATES.items():
        pair = alternating(
            repeat,
            partial(seconds, run_ours, project, ours, state),
            partial(seconds, floor, folder, theirs, state),
        )
        part.add(f"{state}: python -m compile_lessons.course run", "s", pair[0])
        part.add(f"{state}: floor", "s", pair[1])
        part.figures.append(ratio(f"{state}: run / floor", *pair, target=1.15))
        part.notes.append(f"{state}: {meaning}.")
    part.notes.append(
        f"The floor imports torch, compiles one function and forks, {CORES} at a time; it records nothing."
    )
    return part


def alternatives(folder: Path, repeat: int) -> Part:
    """Every contender from start to end: ours with the build, as MkDocs plugins are timed with theirs."""
    part = Part(f"{len(projects.bench_snippets())} Inductor snippets, start to end")
    contenders = _contenders(folder)
    for state, meaning in STATES.items():
        calls = [partial(seconds, *contender, state) for contender in contenders.values()]
        values = dict(zip(contenders, alternating(repeat, *calls), strict=True))
        for name, measured in values.items():
            part.add(f"{state}: {name}", "s", measured)
        for name in list(contenders)[1:]:
            part.figures.append(ratio(f"{state}: {name} / ours", values[name], values[next(iter(contenders))]))
        part.notes.append(f"{state}: {meaning}.")
    part.notes.append(
        "A process each runs on the reader's settings; only ours and a process each isolate the snippets."
    )
    return part


def _contenders(folder: Path) -> dict[str, tuple[Contender, Path, Caches]]:
    """What is compared, ours first, each with its project and its caches."""
    every: dict[str, tuple[Contender, Path]] = {
        "ours, run + build": (run_and_build, projects.make_ours(folder / "ours")),
        "a process each, one after the other": (partial(process_each, at_once=1), folder),
        f"a process each, {CORES} at a time": (partial(process_each, at_once=CORES), folder),
        "markdown-exec in MkDocs": (build, projects.make_markdown_exec(folder / "markdown-exec")),
        "mkdocs-jupyter, execute: true": (build, projects.make_jupyter(folder / "jupyter")),
    }
    return {name: (*pair, Caches(folder / f"cache-{number}")) for number, (name, pair) in enumerate(every.items())}


def unchanged(folder: Path, repeat: int) -> Part:
    """A build with every record there against a build of the same pages with the output pasted in."""
    part = Part("Nothing changed: whole time of mkdocs build")
    caches = Caches(folder / "cache")
    ours = projects.make_ours(folder / "ours")
    projects.check_shown(run_and_build(ours, caches))
    pasted = projects.make_pasted(folder / "pasted", ours, caches)
    projects.check_shown(build(pasted, caches))
    calls = [lambda project=project: timed(BUILD, project, caches.env).seconds for project in (ours, pasted)]
    pair = alternating(repeat, *calls)
    part.add("ours, every record there", "s", pair[0])
    part.add("the output pasted in as text", "s", pair[1])
    part.figures.append(ratio("ours / pasted", *pair, target=1.10))
    part.notes.append(f"{len(projects.bench_snippets())} pages with one snippet each.")
    return part


def edited(folder: Path, repeat: int) -> Part:
    """One snippet of many edited: what the run and the rebuild take, beside that snippet alone and a rebuild alone."""
    part = Part("One snippet edited")
    caches, reader, name = Caches(folder / "cache"), Caches(folder / "cache-reader"), "pointwise.py"
    project = projects.make_ours(folder / "ours")
    projects.check_shown(run_and_build(project, caches))

    def rebuild() -> float:
        return timed(BUILD, project, caches.env).seconds

    def run_edited() -> float:
        with (project / "snippets" / name).open("a", encoding="utf-8") as file:
            file.write("# edited\n")
        ran = timed(RUN, project, caches.env)
        if not re.search(r": 1 ran, \d+ unchanged", ran.printed) or name not in ran.printed:
            raise BenchError(f"one snippet was edited, but the run says:\n{ran.printed}")
        return ran.seconds

    def alone() -> float:
        reader.keep_objects()
        return timed([sys.executable, SNIPPETS / name], folder, reader.env).seconds

    alone()  # compiles the C++ that is then at hand
    runs, builds, own, later = alternating(repeat, run_edited, rebuild, alone, rebuild)
    part.add("python -m compile_lessons.course run after the edit", "s", runs)
    part.add("mkdocs build after the edit", "s", builds)
    part.add("python snippet.py alone, compiled C++ at hand", "s", own)
    part.add("mkdocs build, nothing changed", "s", later)
    ours, sums = ([a + b for a, b in zip(*pair, strict=True)] for pair in ((runs, builds), (own, later)))
    part.figures.append(ratio("run + build / (alone + build)", ours, sums))
    part.facts["ran"] = 1
    part.notes.append(
        f"Exactly 1 of {len(projects.bench_snippets())} snippets ran each time, counted in what the command said."
    )
    return part


def many_pages(folder: Path, repeat: int, sizes: tuple[int, ...] = (250, 500, 1000)) -> Part:
    """Pages with a trivial snippet each: cost of a page as their number grows, ours and with the output pasted in."""
    part = Part("Many pages with a trivial snippet each")
    caches = Caches(folder / "cache")
    ours, pasted = _synthetic(folder, caches, sizes)
    largest = ours[-1]
    ran = timed(RUN, largest, caches.env)
    part.add(f"run of {sizes[-1]} trivial snippets, a snippet", "ms", [1000 * ran.seconds / sizes[-1]])
    plain = [projects.make_pasted(place, project, caches) for place, project in zip(pasted, ours, strict=True)]
    for kind, places in (("ours", ours), ("pasted", plain)):
        builds = alternating(repeat, *[partial(timed, BUILD, place, caches.env) for place in places])
        for size, timings in zip(sizes, builds, strict=True):
            part.add(f"{kind}: {size} pages, a page", "ms", [1000 * each.seconds / size for each in timings])
            part.add(f"{kind}: {size} pages, peak memory", "MiB", [each.peak_memory / 2**20 for each in timings])
        first, last = (_per_page(builds, sizes, step) for step in (0, -2))
        part.add(f"{kind}: each page from {sizes[0]} to {sizes[1]}, CPU time", "ms", first)
        part.add(f"{kind}: each page from {sizes[-2]} to {sizes[-1]}, CPU time", "ms", last)
        target = 1.10 if kind == "ours" else None
        part.figures.append(ratio(f"{kind}: growth per page, last step / first", last, first, target))
    part.notes.append("Each page's menu is pruned: the theme's full menu lists every page on every page.")
    return part


def _synthetic(folder: Path, caches: Caches, sizes: tuple[int, ...]) -> tuple[list[Path], list[Path]]:
    """Projects of every size; all have the largest one's snippets, so that its records serve them all."""
    names = [Path(f"part{n // 100}/chapter{n // 10 % 10}/page{n:04}.py") for n in range(sizes[-1])]
    ours = [projects.make(folder / f"ours-{size}", names[:size], projects.ours) for size in sizes]
    for name in names:
        for project in ours:
            path = project / "snippets" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f'"""Page {name.stem}."""\n\nprint({int(name.stem[4:])})\n', encoding="utf-8")
    return ours, [folder / f"pasted-{size}" for size in sizes]


def _per_page(builds: list[list[Timed]], sizes: tuple[int, ...], step: int) -> list[float]:
    """Milliseconds of processor time that each page adds between two sizes, for every repetition."""
    more = sizes[step + 1] - sizes[step]
    return [1000 * (b.cpu - a.cpu) / more for a, b in zip(builds[step], builds[step + 1], strict=True)]
