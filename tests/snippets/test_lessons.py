"""What every lesson of these parts has, and that the torch files and symbols it names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[2]
TORCH = Path(torch.__file__).parent
PAGES = [page for part in ("pipeline", "dynamo", "aot", "gpu") for page in sorted((ROOT / "docs" / part).glob("*.md"))]
# "9 minutes · needs a C++ compiler · builds on [One function](one-function.md)"
FACTS = re.compile(
    r"\d+ minutes · needs (only PyTorch|a C\+\+ compiler|Triton \(Linux\)|no GPU: recorded on an H200)( · .*)?"
)
PARTS = ("## In short", "## What goes wrong: ", "## Key question", "## How it works inside", "## Where to go next")
# "`torch/_dynamo/guards.py`: `GuardBuilder`, `CheckFunctionManager`"
NAMED = re.compile(r"`(torch/[\w/]+\.(?:py|cpp))`|`([A-Za-z_]\w*)`")


def sources(page: Path) -> dict[str, set[str]]:
    """Return the files of torch that list items in "How it works inside" name, each with the symbols named after it."""
    section = page.read_text(encoding="utf-8").split("\n## How it works inside\n")[1].split("\n## ")[0]
    files: dict[str, set[str]] = {}
    for item in re.findall(r"^- (`torch/.*(?:\n  .*)*)", section, re.M):
        for file, symbol in NAMED.findall(item):
            if file:
                names = files.setdefault(file, set())
            else:
                names.add(symbol)
    return files


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_files_and_symbols_exist_in_the_installed_torch(page: Path) -> None:
    files = sources(page)
    assert files
    for file, symbols in files.items():
        path = TORCH.parent / file
        assert path.is_file(), f"{page.name}: the installed torch has no {file}"
        text = path.read_text(encoding="utf-8")
        missing = {name for name in symbols if not re.search(rf"\b{name}\b", text)}
        assert not missing, f"{page.name}: {file} has no {', '.join(sorted(missing))}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_a_lesson_has_its_parts_in_order(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ") and FACTS.fullmatch(lines[2]) and lines[3] == "{ .lesson-facts }", lines[:4]
    headings = [line for line in lines if line.startswith("## ")]
    places = [next((i for i, line in enumerate(headings) if line.startswith(part)), -1) for part in PARTS]
    assert -1 not in places, f"{page.name}: no heading {PARTS[places.index(-1)]!r}"
    assert places == sorted(places) and places[0] == 0 and places[-1] == len(headings) - 1, headings


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_a_lesson_shows_programs_and_leads_on(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(re.findall(r"^ *snippet\(", text, re.M)) >= 4
    for part in ('??? question "', "https://docs.pytorch.org/"):
        assert part in text, f"{page.name}: nothing with {part!r}"
    first, *links = re.findall(r"^- (.*(?:\n  .*)*)", text.split("\n## Where to go next\n")[1], re.M)
    assert "`python snippets/" in first or "`compile-lessons " in first, f"{page.name}: nothing to try"
    assert 2 <= len(links) <= 4 and all("](" in link for link in links), f"{page.name}: 2 to 4 links"
