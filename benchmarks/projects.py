"""Make the projects that are timed: the same snippets in pages of ours, pasted in, and for the two plugins."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import BenchError

SNIPPETS = Path(__file__).parent / "snippets"
_SITE = """\
site_name: Bench
theme:
  name: material
  font: false
  features: [content.code.copy, navigation.prune]
markdown_extensions:
  - admonition
  - attr_list
  - md_in_html
  - tables
  - pymdownx.details
  - pymdownx.highlight: {anchor_linenums: true, pygments_lang_class: true}
  - pymdownx.tabbed: {alternate_style: true}
"""
_PLAIN = "  - pymdownx.inlinehilite\n  - pymdownx.superfences\n"
_OURS = """\
  - pymdownx.inlinehilite:
      custom_inline:
        - {name: value, class: value, format: !!python/name:compile_lessons.course.site.embed.format_value }
  - pymdownx.superfences:
      custom_fences:
        - name: python
          class: python
          validator: !!python/name:markdown_exec.validator
          format: !!python/name:compile_lessons.course.site.embed.format_block
"""
_PROSE = """\
What a compiler does with a function is easier to believe when it can be seen. The code below is run as it stands, and
what it prints is shown under it; nothing of it was typed by hand.

Look at the last line first: the compiled function gives the same numbers as the one it was made from, up to rounding.
That is the least one may ask, and it is asked on **every** page, for [each of the functions](#output) here.

## Output
"""

Block = Callable[[Path], str]


def ours(snippet: Path) -> str:
    """The block of a page of ours; ``snippet`` is relative to the folder ``snippets/``."""
    return f'```python exec="1"\nsnippet("{snippet.as_posix()}")\n```\n'


def pasted(records: dict[str, dict[str, Any]], source: Path) -> Block:
    """The block with source, output and provenance typed in, as the embed would show them."""

    def block(snippet: Path) -> str:
        record = records[snippet.as_posix()]
        code = (source / snippet).read_text(encoding="utf-8").partition("# ///\n")[2].partition("# ///\n")
        shown = "".join(output["text"] for output in record["outputs"])
        facts = [f"`{record['command']}`", f"torch {record['torch']}", f"Python {record['python']}"]
        facts += [f"{record['isa']}, {record['cores']} cores", f"compiler caches {record['caches']}"]
        facts += [f"{record['duration']:.1f} s", record["date"][:10]]
        return (
            f'```python linenums="1" title="snippets/{snippet.as_posix()}"\n{code[2] or code[0]}```\n\n'
            f"```text\n{shown}```\n\n**Ran when this page was built** {' · '.join(facts)}\n"
        )

    return block


def executed(snippet: Path) -> str:
    """The block that markdown-exec runs inside MkDocs."""
    code = (SNIPPETS / snippet).read_text(encoding="utf-8")
    return f'```python exec="1" source="above" result="text"\n{code}```\n'


def make(root: Path, snippets: list[Path], block: Block, *, extensions: str = _OURS, plugins: str = "[search]") -> Path:
    """A project with a page for every snippet; the snippets themselves are not copied. Returns ``root``."""
    (root / "docs").mkdir(parents=True)
    (root / "mkdocs.yml").write_text(f"{_SITE}{extensions}plugins: {plugins}\n", encoding="utf-8")
    (root / "docs" / "index.md").write_text("# Start\n\nEvery page shows one snippet.\n", encoding="utf-8")
    for snippet in snippets:
        page = (root / "docs" / snippet).with_suffix(".md")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"# {snippet.stem.replace('_', ' ')}\n\n{_PROSE}\n{block(snippet)}", encoding="utf-8")
    return root


def bench_snippets() -> list[Path]:
    return sorted(path.relative_to(SNIPPETS) for path in SNIPPETS.glob("*.py"))


def make_ours(root: Path) -> Path:
    make(root, bench_snippets(), ours)
    shutil.copytree(SNIPPETS, root / "snippets", ignore=shutil.ignore_patterns("__pycache__"))
    return root


def make_pasted(root: Path, like: Path, caches: Caches) -> Path:
    """The pages of the project ``like``, whose records are all there, without anything of ours."""
    block = pasted(caches.records(), like / "snippets")
    pages = sorted(path.relative_to(like / "docs") for path in (like / "docs").rglob("*.md") if path.name != "index.md")
    return make(root, [page.with_suffix(".py") for page in pages], block, extensions=_PLAIN)


def make_markdown_exec(root: Path) -> Path:
    return make(root, bench_snippets(), executed, extensions=_PLAIN, plugins="[search, markdown-exec]")


def make_jupyter(root: Path) -> Path:
    """The snippets themselves are the pages: mkdocs-jupyter takes Python files."""
    make(root, [], ours, extensions=_PLAIN, plugins='[search, {mkdocs-jupyter: {execute: true, include: ["*.py"]}}]')
    for snippet in bench_snippets():
        shutil.copy(SNIPPETS / snippet, root / "docs" / snippet)
    return root


class Caches:
    """A folder for everything that one contender keeps between runs; the environment that sends it there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.empty()

    @property
    def inductor(self) -> Path:
        return self.folder / "inductor"

    @property
    def env(self) -> dict[str, str]:
        """torch puts precompiled headers under the folder for temporary files."""
        own = ("TORCH", "COMPILE_LESSONS", "TRITON")
        reader = {name: value for name, value in os.environ.items() if not name.startswith(own)}
        return {
            **reader,
            "TMPDIR": str(self.folder / "tmp"),
            "TORCHINDUCTOR_CACHE_DIR": str(self.inductor),
            "COMPILE_LESSONS_CACHE": str(self.folder / "lessons"),
        }

    def empty(self) -> None:
        """No compiled C++ at hand: neither objects nor the precompiled header."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for folder in (self.folder / "tmp", self.inductor, self.folder / "lessons"):
            folder.mkdir(parents=True)

    def keep_objects(self) -> None:
        """Compiled C++ and the header stay; records, FX graphs and whatever else was cached go."""
        for path in self.folder.rglob("*"):
            stays = path.suffix in (".so", ".o") or {"precompiled_headers", "headers"} & set(path.parts)
            if not stays and (path.is_file() or path.is_symlink()):
                path.unlink()

    def records(self) -> dict[str, dict[str, Any]]:
        """The records of a run of ours, by snippet."""
        every = [json.loads(path.read_text()) for path in (self.folder / "lessons" / "records").rglob("*.json")]
        return {record["snippet"]: record for record in every}


def tool(module: str, *arguments: str) -> list[str]:
    """A command of this interpreter's environment."""
    return [sys.executable, "-m", module, *arguments]


RUN = tool("compile_lessons.course", "run")
BUILD = tool("mkdocs", "build", "--quiet")


def check_shown(text: str) -> None:
    """Raises ``BenchError`` unless every snippet's result is there: a contender that fails is quick."""
    lacking = [name.stem for name in bench_snippets() if f"{name.stem}: True" not in text]
    if lacking:
        raise BenchError(f"no result of {', '.join(lacking)} in:\n{text[-4000:]}")


def site_text(project: Path) -> str:
    """All pages of a built site."""
    return "\n".join(path.read_text(encoding="utf-8") for path in (project / "site").rglob("*.html"))
