"""The course itself: nothing for ``check`` to find, and the same pages from MkDocs and from Zensical."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from bs4 import BeautifulSoup

from compile_lessons.project import CACHE_VARIABLE, Project
from compile_lessons.site.check import check


def test_nothing_is_wrong(course: Project, site: Path) -> None:
    assert [str(problem) for problem in check(course, site)] == []


def test_zensical_builds_the_same_pages(course: Project, site: Path, tmp_path: Path) -> None:
    for folder in ("docs", "snippets"):
        shutil.copytree(course.root / folder, tmp_path / folder)
    shutil.copy(course.root / "mkdocs.yml", tmp_path)
    env = {**os.environ, CACHE_VARIABLE: str(course.cache)}
    subprocess.run([sys.executable, "-m", "zensical", "build", "--clean"], cwd=tmp_path, env=env, check=True)

    pages = sorted(path.relative_to(site) for path in site.rglob("index.html"))
    assert pages == sorted(path.relative_to(tmp_path / "site") for path in (tmp_path / "site").rglob("index.html"))
    for page in pages:
        assert _embedded(site / page) == _embedded(tmp_path / "site" / page), page
    assert any(_embedded(site / page) for page in pages)


def _embedded(page: Path) -> list[str]:
    """What the embed put on a page: sources, outputs, provenance and values, without the numbers that tabs count up."""
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    return [re.sub(r"\s+", " ", str(tag)) for tag in soup.select(".md-content [class*=snippet-]")]
