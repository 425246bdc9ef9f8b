"""The course itself: nothing for ``check`` to find, and the same pages from MkDocs and from Zensical."""

import gzip
import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from compile_lessons.course.site.check import check
from compile_lessons.ground.project import CACHE_VARIABLE, Project
from compile_lessons.labs.lab import EVENING, find_lab


@pytest.mark.skipif("BUILT_SITE" in os.environ, reason="checked where it was built: make site")
def test_nothing_is_wrong(course: Project, site: Path) -> None:
    assert [str(problem) for problem in check(course, site)] == []


@pytest.mark.nightly  # 46 s; tests/course/site/test_build.py builds a small site with both in each run
def test_zensical_builds_the_same_pages(course: Project, site: Path, tmp_path: Path) -> None:
    for folder in ("docs", "snippets"):
        shutil.copytree(course.root / folder, tmp_path / folder)
    shutil.copy(course.root / "mkdocs.yml", tmp_path)
    env = {**os.environ, CACHE_VARIABLE: str(course.cache)}
    subprocess.run([sys.executable, "-m", "zensical", "build", "--clean"], cwd=tmp_path, env=env, check=True)

    pages = sorted(path.relative_to(site) for path in _lessons(site))
    assert pages == sorted(path.relative_to(tmp_path / "site") for path in (tmp_path / "site").rglob("index.html"))
    for page in pages:
        assert _embedded(site / page) == _embedded(tmp_path / "site" / page), page
    assert any(_embedded(site / page) for page in pages)


def test_a_page_that_does_not_exist_has_the_symptoms_of_home(site: Path) -> None:
    symptoms = re.compile(r'<a href="[^"]*(fix/[\w-]+/)">([^<]+)</a>')
    home, missing = (
        symptoms.findall(html.unescape((site / page).read_text(encoding="utf-8")))
        for page in ("index.html", "404.html")
    )
    assert len(home) == 8 and missing == home


def test_next_leads_through_every_page(site: Path) -> None:
    page, seen = (site / "index.html").resolve(), []
    while page not in seen:
        seen.append(page)
        if not (forward := _NEXT.search(page.read_text(encoding="utf-8"))):
            break
        page = (page.parent / forward[1] / "index.html").resolve()
    assert sorted(seen) == sorted(path.resolve() for path in _lessons(site))


def test_a_lab_of_the_evening_stands_there_and_leads_on_to_its_next_lesson(site: Path) -> None:
    for slug, lesson in EVENING.items():
        page = (site / find_lab(slug).page / "index.html").read_text(encoding="utf-8")
        assert [*_NEXT.findall(page), *re.findall(r"md-path__link.*?>\s*<span[^>]*>\s*([^<]+?)\s*<", page, re.S)] == [
            f"../../{lesson}/",
            "Learn",
            "One evening",
        ]


def test_no_page_loads_anything_from_another_host(site: Path) -> None:
    loaded = {address for page in site.rglob("*.htm*") for address in _LOADED.findall(page.read_text(encoding="utf-8"))}
    assert loaded and not [address for address in loaded if "//" in address]
    assert not re.search(r"url\([\"']?(https?:)?//", "".join(css.read_text() for css in site.rglob("*.css")))


def test_every_page_is_light(site: Path) -> None:
    sizes = {str(page.relative_to(site)): len(gzip.compress(page.read_bytes())) for page in site.rglob("*.htm*")}
    # An explorer is loaded when it comes in sight.
    most = {name: 150_000 if name.startswith("explorers/") else 60 * 1024 for name in sizes}
    assert sizes and {name: size for name, size in sizes.items() if size > most[name]} == {}


def test_no_page_has_an_id_twice(site: Path) -> None:
    pages = list(site.rglob("*.htm*"))
    assert pages
    for page in pages:
        ids = re.findall(r'<[^<>]* id="([^"]+)"', page.read_text(encoding="utf-8"))
        # mkdocstrings counts the lines of each signature from 1; nothing links to them.
        ids = [name for name in ids if not name.startswith("__codelineno")]
        assert len(ids) == len(set(ids)), (
            f"{page.relative_to(site)}: {sorted({name for name in ids if ids.count(name) > 1})}"
        )


# <a href="start/setup/" class="md-footer__link md-footer__link--next"
_NEXT = re.compile(r'<a href="([^"]+)" class="[^"]*md-footer__link--next"')
# <script src="assets/theme.js">, <link rel="stylesheet" href="assets/theme.css">; not <link rel="canonical" …>
_LOADED = re.compile(r'<(?:\w+ [^>]*?\bsrc|link (?!rel="canonical")[^>]*?\bhref)="([^"]+)"')
# Source and output to where the page goes on, provenance, values.
_EMBEDDED = re.compile(
    r'<div class="snippet-(?:source|output)"[^>]*>.*?(?=<details class="snippet-provenance|<h2|<p>)'
    r'|<details class="snippet-provenance.*?</details>|<span class="snippet-value.*?</span>',
    re.S,
)
# What the plugin of MkDocs adds: for the search, and for links to fixes.
_ADDED = re.compile(r' (?:data-search-exclude|class="fix"|id="fix-[^"]*")')
# In its page, or a file of its own with a link to it.
_EXPLORER = re.compile(r'<iframe [^>]*></iframe>(?:<a class="snippet-explorer-alone".*?</a>)?', re.S)


def _lessons(site: Path) -> list[Path]:
    """Return every page but the notebooks, which Zensical doesn't have and no page leads on to."""
    return [page for page in site.rglob("index.html") if page.parents[1] != site / "labs" / "notebooks"]


def _embedded(page: Path) -> list[str]:
    """What the embeds put on a page, without what MkDocs' plugin adds."""
    text = _ADDED.sub("", page.read_text(encoding="utf-8"))
    return [re.sub(r"\s+", " ", _EXPLORER.sub("explorer", part)) for part in _EMBEDDED.findall(text)]
