"""Compare what the snippets do under one torch with what they do under another, fact by fact.

A fact is how a snippet ends, one of its values, or its output. What a snippet declares under ``varies`` is no fact.
"""

import difflib
import re
from pathlib import Path

import msgspec

from compile_lessons.course.records.plan import Plan, plan
from compile_lessons.course.records.record import Record
from compile_lessons.course.records.snippet import Snippet
from compile_lessons.course.records.verdict import without_varying
from compile_lessons.ground.files import write_atomically
from compile_lessons.ground.project import Project, ProjectError

#: Where comparisons are committed, ``2.15.json`` for torch 2.15, below ``snippets/``.
FOLDER = "reference/versions"
_LONGEST_LINE = 160
_MOST_LINES = 4

Value = int | float | bool | str

# What tells two builds of torch apart and says nothing about torch.compile, and what stands for it, in this order.
_NOISE = {
    # "(_dynamo/variables/tensor.py:2606 in evaluate_expr)"
    re.compile(r"((?:torch|_dynamo|_inductor|_functorch|_ops|_subclasses)/[\w./]+\.(?:py|cpp|h)):\d+"): r"\1:…",
    # '  File "…/site-packages/torch/a.py", line 3, in f\n    g()\n    ^^^\n', a frame of an installed package
    re.compile(r'^(.*)File "[^"\n]*site-packages/.*\n?(?:\1  (?!.*File ").*\n?)*', re.M): "",
    # "    ~~^^", the mark below the code of a frame
    re.compile(r"^[ ~|]*\^[ ~^|]*$\n?", re.M): "",
    # A CUDA build on a machine without a GPU says so when it first compiles C++.
    re.compile(r"^.*No CUDA runtime is found, using CUDA_HOME.*\n?", re.M): "",
    # the padding of a column follows what stands in it
    re.compile(r"[ -]{2,}"): "  ",
    re.compile(r" +…"): " …",
    re.compile(r" +$", re.M): "",
}


class SnippetDifference(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one snippet does otherwise under the other torch.

    ``failure`` is what it ended with, at ``line`` of its file. ``values`` holds each changed value, before and after
    (``None``: it has none). ``lines`` counts the lines of output that differ, and ``output`` is the beginning of their
    diff.
    """

    page: str
    failure: str | None = None
    line: int | None = None
    values: dict[str, tuple[Value | None, Value | None]] = {}
    lines: int = 0
    output: list[str] = []


class VersionComparison(msgspec.Struct, frozen=True, kw_only=True):
    """All snippets under two versions of torch. ``snippets`` and ``values`` count what was compared.

    ``missing`` names the snippets without a record under the other torch.
    """

    torch: str
    before: str
    python: str
    date: str
    snippets: int
    values: int
    missing: list[str]
    differences: dict[str, SnippetDifference]


def compare_versions(project: Project, before: Path, after: Path, pages: dict[str, str]) -> VersionComparison:
    """Compare the records in two cache folders, each of runs under one torch.

    ``pages`` names the page that shows each snippet. Raises ``ProjectError`` for a folder without records of the
    snippets as they are now, or with those of several versions.
    """
    for folder in (before, after):
        if not folder.is_dir():
            raise ProjectError(f"{folder} is no folder. Fix: name the folder in COMPILE_LESSONS_CACHE during a run")
    # Those that show comparisons are left out.
    names = [name for name in project.snippet_names() if not name.startswith(FOLDER)]
    items = [item for name in names if not (item := plan(project, name)).snippet.recorded]
    old, new = _records(before, items), _records(after, items)
    both = [item.snippet for item in items if item.snippet.name in old and item.snippet.name in new]
    differences = {}
    for snippet in both:
        difference = compare_records(snippet, old[snippet.name], new[snippet.name], pages.get(snippet.name, ""))
        if difference:
            differences[snippet.name] = difference
    newest = max(new.values(), key=lambda record: record.date)
    return VersionComparison(
        torch=newest.torch,
        before=next(iter(old.values())).torch,
        python=newest.python,
        date=newest.date[:10],
        snippets=len(both),
        values=sum(len(_values(snippet, old[snippet.name])) for snippet in both),
        missing=[item.snippet.name for item in items if item.snippet.name not in new],
        differences=differences,
    )


def compare_records(snippet: Snippet, before: Record, after: Record, page: str) -> SnippetDifference | None:
    """Return what a snippet does otherwise in the second record; ``None`` if both tell the same facts.

    Of a snippet that failed, only values that it had by then are compared, and not the output.
    """
    old, new = _values(snippet, before), _values(snippet, after)
    names = old.keys() & new.keys() if after.failure else old.keys() | new.keys()
    values = {
        name: (old.get(name), new.get(name))
        for name in sorted(names)
        if repr(old.get(name)) != repr(new.get(name))  # repr: nan differs from itself
    }
    if after.failure:
        failure = _shorten(_without_noise(after.failure.message))
        return SnippetDifference(page=page, failure=failure, line=after.failure.line, values=values)
    diff = list(difflib.unified_diff(_lines(snippet, before), _lines(snippet, after), n=0, lineterm=""))
    changed = [line for line in diff[2:] if not line.startswith("@@")]  # "-old", "+new"
    if not values and not changed:
        return None
    first = [_shorten(line) for line in changed[:_MOST_LINES]]
    return SnippetDifference(page=page, values=values, lines=len(changed), output=first)


def list_changes(comparison: VersionComparison, committed: VersionComparison | None) -> list[str]:
    """Return a line of Markdown for each difference that isn't committed, and each committed one that is gone."""
    now, then = _facts(comparison), _facts(committed) if committed else {}
    new = [f"{where}: {what}" for where, what in now.items() if then.get(where) != what]
    gone = [f"{where}: as under torch {comparison.before} again" for where in then if where not in now]
    missing = [f"{name}: no record" for name in comparison.missing]
    return [f"- {line}" for line in sorted(new + gone + missing)]


def write_comparison(project: Project, comparison: VersionComparison) -> Path:
    """Write a comparison where the page about versions reads it."""
    path = project.snippets / FOLDER / f"{'.'.join(comparison.torch.split('.')[:2])}.json"
    write_atomically(path, msgspec.json.format(msgspec.json.encode(comparison), indent=1) + b"\n")
    return path


def read_nearest(project: Project, version: str) -> VersionComparison | None:
    """Read the committed comparison of the newest torch up to ``version``; ``None`` if there is none."""
    paths = {_minor(path.stem): path for path in (project.snippets / FOLDER).glob("*.json")}
    older = [minor for minor in paths if minor <= _minor(version)]
    return msgspec.json.decode(paths[max(older)].read_bytes(), type=VersionComparison) if older else None


def _records(folder: Path, items: list[Plan]) -> dict[str, Record]:
    """Return the newest record in a cache folder of each snippet whose file, helpers and data have not changed since.

    A record of an older version of ``compile_lessons`` counts: it shows what the snippet did under its torch.
    """
    own = {item.snippet.name: _snippet_files(item.sources) for item in items}
    records: dict[str, Record] = {}
    for path in (folder / "records").rglob("*.json"):
        try:
            record = Record.from_json(path.read_text(encoding="utf-8"))
        except ValueError:  # of an older schema
            continue
        current = own.get(record.snippet) == _snippet_files(record.sources)
        if current and (record.snippet not in records or records[record.snippet].date < record.date):
            records[record.snippet] = record
    versions = sorted({_public(record.torch) for record in records.values()})
    if len(versions) != 1:
        what = f"records of torch {' and '.join(versions)}" if versions else "no record of a snippet as it is now"
        remedy = "set COMPILE_LESSONS_CACHE to a folder for each torch, and run the snippets there"
        raise ProjectError(f"{folder} holds {what}. Fix: {remedy}")
    return records


def _snippet_files(sources: dict[str, str]) -> dict[str, str]:
    """Return the hashes of the snippet, of what it imports and reads below ``snippets/``."""
    return {path: digest for path, digest in sources.items() if path.startswith("snippets/")}


def _values(snippet: Snippet, record: Record) -> dict[str, Value]:
    """Return the values that are facts."""
    return {
        name: _without_noise(value) if isinstance(value, str) else value
        for name, value in record.values.items()
        if name not in snippet.declared.varies.values
    }


def _lines(snippet: Snippet, record: Record) -> list[str]:
    """Return the lines of the output that are facts."""
    text = record.text
    for version in (record.torch, _public(record.torch)):
        text = text.replace(version, "VERSION")
    # before padding is removed: a pattern may count it
    return _without_noise(without_varying(snippet, text)).splitlines()


def _without_noise(text: str) -> str:
    for pattern, replacement in _NOISE.items():
        text = pattern.sub(replacement, text)
    return text.rstrip()


def _shorten(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…"


def _facts(comparison: VersionComparison) -> dict[str, str]:
    """Return what differs, by where: ``dynamo/x.py, graphs`` is ``3, not 2``."""
    facts = {}
    for name, difference in comparison.differences.items():
        if difference.failure:
            facts[f"{name}:{difference.line}"] = difference.failure
        for value, (before, after) in difference.values.items():
            facts[f"{name}, {value}"] = f"{after!r}, not {before!r}"
        if difference.lines:
            lines = " ".join(f"`{line}`" for line in difference.output)
            facts[f"{name}, output"] = f"{difference.lines} lines differ: {lines}"
    return facts


def _public(version: str) -> str:
    """``2.15.0+cpu`` is ``2.15.0``: builds for CPU and CUDA are the same version."""
    return version.partition("+")[0]


def _minor(version: str) -> tuple[int, ...]:
    """``2.15.0+cpu`` is ``(2, 15)``."""
    return tuple(map(int, version.split(".")[:2]))
