"""The table of tests/coverage.md: each page and snippet exists, and the page shows the snippet."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "tests/coverage.md"
ROW = re.compile(r"^\| (\d{3}[^|]*) \| (.+?) \| \[[^\]]+\]\(([^)]+\.md)\) \| `([^`]+\.py)` \|$", re.M)
ROWS = ROW.findall(TABLE.read_text(encoding="utf-8"))


def shows(page: Path, snippet: str) -> bool:
    return f'snippet("{snippet}"' in page.read_text(encoding="utf-8")


def test_every_line_of_the_table_is_read() -> None:
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if re.match(r"\| \d{3}", line)]
    assert len(lines) == len(ROWS) > 70
    assert {row[0][:3] for row in ROWS} == {"000", "001", "002", "003", "004"}


@pytest.mark.parametrize(("seed", "topic", "page", "snippet"), ROWS)
def test_page_and_snippet_exist(seed: str, topic: str, page: str, snippet: str) -> None:
    file = (TABLE.parent / page).resolve()
    assert file.is_file(), f"{seed}, {topic}: no page {page}"
    assert (ROOT / "snippets" / snippet).is_file(), f"{seed}, {topic}: no snippet {snippet}"
    assert shows(file, snippet), f"{seed}, {topic}: {page} does not show {snippet}"
