"""What every lesson of these parts has, and that the torch files and symbols it names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[2]
TORCH = Path(torch.__file__).parent
PAGES = [page for part in ("pipeline", "aot") for page in sorted((ROOT / "docs" / part).glob("*.md"))]
NAMED = re.compile(r"`(torch/[\w/]+\.(?:py|cpp))`|`([A-Za-z_]\w*)`")


def sources(page: Path) -> dict[str, set[str]]:
    """The files of torch that a page's section "In the source" names, each with the symbols named after it."""
    section = re.search(
        r"^## In the source\n(.*?)(?=^Official|Official|^## )", page.read_text(encoding="utf-8"), re.M | re.S
    )
    assert section, f"{page}: no section 'In the source'"
    files: dict[str, set[str]] = {}
    for file, symbol in NAMED.findall(section.group(1)):
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
def test_a_lesson_has_all_its_parts(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    title, question = text.split("\n")[0], text.split("\n")[2]
    assert title.startswith("# ") and question.startswith("**") and question.endswith("?**")
    assert text.count("\nsnippet(") + text.count("    snippet(") >= 4
    for part in (
        "oes wrong",
        "fix",
        '??? question "',
        "## Run it yourself",
        "## In the source",
        "https://docs.pytorch.org/",
    ):
        assert part in text, f"{page.name}: nothing with {part!r}"
    assert "## Next" in text and "](" in text.split("## Next")[1]
    assert len(re.findall(r"^- ", text.split("## Run it yourself")[1].split("\n## ")[0], re.M)) >= 2
