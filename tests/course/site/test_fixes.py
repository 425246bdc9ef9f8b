"""Every setting that readers copy from a page works after ``import torch`` alone, and says what to do with threads."""

import ast
import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from compile_lessons.course.records.snippet import load_snippet
from compile_lessons.course.site.pages import Embed, read_pages
from compile_lessons.ground.project import Project

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
#: Its settings are those that other texts name.
QUOTES = "reference/corrections.md"
FENCE = re.compile(r"^( *)```(?:python|py)\n(.*?)^\1```", re.M | re.S)
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
SETTING = re.compile(r"^torch\.[\w.]+ = \S+$")
CALL = re.compile(r"^torch\.(?:set_|use_|compiler\.set_|compiler\.reset|_logging\.|_dynamo\.utils\.)[\w.]*\(.*\)$")
OPTIONS = re.compile(r"^options=\{.*\w.*\}$")

#: Runs groups of fixes: each in a fork of a process with torch alone, in the main thread and then in another one.
RUN = """
import json, os, sys, threading, traceback
import torch

def run_group(group):
    def run():
        for fix in group:
            try:
                exec(fix, {"torch": torch, "fn": abs, "model": abs, "compiled": abs, "x": 1})
            except Exception as error:
                print(json.dumps([fix, repr(error)]), flush=True)
    run()
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()

for group in json.load(sys.stdin):
    child = os.fork()
    if not child:
        run_group(group)
        os._exit(0)
    os.waitpid(child, 0)
"""


@dataclass(frozen=True)
class Fix:
    """Code that readers copy, with the imports that stand beside it."""

    page: str
    code: str
    imports: str

    @property
    def needs(self) -> str:
        """What the code has to find after its imports: settings of one module find the same."""
        module = re.search(r"torch\.\w+\.config", self.code)
        return module[0] if module else ""


def fixes_of(page: str, text: str) -> Iterator[Fix]:
    """Fences that set something, then the settings, calls and options that a paragraph, an item or a row names."""
    for _, code in FENCE.findall(text):
        if ".config." in code:
            yield Fix(page, code, "")
    for block in re.split(r"\n\s*\n|\n(?=- |\| )", FENCE.sub("", text)):
        pieces = CODE.findall(block)
        imports = "\n".join(piece for piece in pieces if piece.startswith("import torch."))
        for piece in pieces:
            if SETTING.match(piece) or CALL.match(piece):
                yield Fix(page, piece, imports)
            elif OPTIONS.match(piece):
                yield Fix(page, f"torch.compile(fn, {piece})", imports)


def shown_alone(course: Project) -> Iterator[Fix]:
    """The settings of programs' parts that a page shows alone, to be copied."""
    for use in read_pages(course)[0]:
        if isinstance(use.what, Embed) and use.what.region and use.what.show == "source":
            region, _ = load_snippet(course, use.what.name).region(use.what.region)
            nodes = [node for node in ast.walk(ast.parse(region)) if isinstance(node, (ast.Import, ast.Assign))]
            lines = [ast.unparse(node) for node in nodes]
            imports = "\n".join(line for line in lines if line.startswith("import torch"))
            page = use.page.removeprefix("docs/")
            for line in filter(SETTING.match, lines):
                yield Fix(page, line, imports)


def every_fix(course: Project) -> list[Fix]:
    pages = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}
    named = itertools.chain.from_iterable(
        fixes_of(page, text) for page, text in sorted(pages.items()) if page != QUOTES
    )
    return [*named, *shown_alone(course)]


def test_a_fix_runs_after_import_torch_alone_and_in_another_thread(course: Project) -> None:
    fixes = every_fix(course)
    groups: dict[str, dict[str, None]] = {}
    for fix in sorted(fixes, key=lambda fix: bool(fix.imports)):  # those that import nothing find torch alone
        groups.setdefault(fix.needs, {})[f"{fix.imports}\n{fix.code}"] = None  # once, if on several pages
    ran = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps([*map(list, groups.values())]),
        capture_output=True,
        text=True,
        check=True,
    )
    failed = {json.loads(line)[0]: json.loads(line)[1] for line in ran.stdout.splitlines()}
    assert not [(fix.page, failed[code]) for fix in fixes if (code := f"{fix.imports}\n{fix.code}") in failed]
    assert len(fixes) > 60
