"""The notebooks of the labs as pages: they have the cells, the site's looks and the way to the file."""

import json
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup

from compile_lessons.labs.lab import EVENING, Lab, labs


@pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.slug)
def test_a_notebook_is_a_page_with_its_cells(site: Path, lab: Lab) -> None:
    page = BeautifulSoup((site / "labs" / "notebooks" / lab.slug / "index.html").read_text("utf-8"), "html.parser")
    cells = nbformat.read(site / "labs" / f"{lab.slug}.ipynb", as_version=4).cells
    shown = [code.get_text().rstrip() for code in page.select("article .highlight code")]
    assert shown == [cell.source for cell in cells if cell.cell_type == "code"]
    assert page.select_one("article h1").get_text() == f"{lab.heading}¶"
    assert page.select_one("a[download]")["href"] == f"../../{lab.slug}.ipynb"
    assert page.select_one(f"article a[href='../../{lab.page.removeprefix('labs/')}/']")
    assert not page.select("style, article script, [rel=edit]")
    active = [item.get_text(strip=True) for item in page.select(".md-tabs__item--active")]
    assert active == ["Learn" if lab.slug in EVENING else "Labs"]


@pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.slug)
def test_the_page_of_a_lab_leads_to_both(site: Path, lab: Lab) -> None:
    html = (site / lab.page / "index.html").read_text("utf-8")
    assert f'<a href="../notebooks/{lab.slug}/">read it</a>' in html
    assert f'<a download href="../{lab.slug}.ipynb">download it</a>' in html


def test_no_search_finds_a_notebook(site: Path) -> None:
    entries = json.loads((site / "search" / "search_index.json").read_bytes())["docs"]
    assert len(entries) > 500 and not [entry for entry in entries if "notebooks/" in entry["location"]]
