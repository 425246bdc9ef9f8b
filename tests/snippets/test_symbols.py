"""What a page names in torch's source is there: each file, and each symbol that its list item names after the file."""

import re
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[2]
INSTALLED = Path(torch.__file__).parents[1]
PAGES = {page.relative_to(ROOT / "docs").as_posix(): page for page in sorted((ROOT / "docs").rglob("*.md"))}

# "- `torch/fx/graph.py`: `Graph`, its `lint` and\n  `print_tabular`.\n", to the next item, heading or empty line
ITEM = re.compile(r"^- (?=.*`torch/).*\n(?:[ ]+\S.*\n)*", re.M)
# "`torch/fx/graph.py`: " (file), "`Graph`, " (symbol); join is what stands between this name and the next
NAMED = re.compile(r"`(?:(?P<file>torch/[\w/]+\.\w+)|(?P<symbol>[A-Za-z_][\w.]*))`(?P<join>[^`]*)")


def named(page: Path) -> set[tuple[str, str, bool]]:
    """The files of torch that a page names, each with the symbols after it, and whether these are defined there.

    "`torch/fx/graph.py`: `Graph`, `map_arg`. Its `lint` checks it" says that the file defines ``Graph`` and
    ``map_arg``, which follow at once, and has ``lint``.
    """
    names: set[tuple[str, str, bool]] = set()
    for item in ITEM.findall(page.read_text(encoding="utf-8")):
        file, at_once = "", False
        for match in NAMED.finditer(item):
            if match["file"]:
                file, at_once = match["file"], True
            names.add((file, match["symbol"] or "", at_once))
            at_once = at_once and match["join"].strip() in (",", ":", "and", ", and")
    return {name for name in names if name[0]}


def has(source: str, symbol: str, defined: bool) -> bool:
    """Whether a file has each part of a dotted name as a word, and, if asked for, defines it."""
    define = r"\b(?:def|class)\s+{0}\b|\b{0}\s*[:=]|\"{0}\"|(?:self|config)\.{0}\b" if defined else r"\b{0}\b"
    return all(re.search(define.format(part), source) for part in symbol.split("."))


@pytest.mark.parametrize("page", [name for name in PAGES if named(PAGES[name])])
def test_files_and_symbols_exist_in_the_installed_torch(page: str) -> None:
    for file, symbol, defined in sorted(named(PAGES[page])):
        path = INSTALLED / file
        assert path.is_file(), f"{page}: the installed torch has no {file}"
        source = path.read_text(encoding="utf-8")
        assert not symbol or has(source, symbol, defined), f"{page}: {file} has no {symbol}"


def test_the_course_names_torchs_source() -> None:
    assert sum(len(named(page)) for page in PAGES.values()) > 100
