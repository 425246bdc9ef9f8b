"""Old addresses lead to where a page, or a section of it, is now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

from compile_lessons.ground.project import Project
from compile_lessons.site.moved import pages_at_old_addresses

#: What links outside this site have: each sort of anchor that pages had which were split or merged.
OLD = {
    "production/what-now/": "fix/",
    "production/what-now/#recompiles": "fix/recompiles/",
    "production/what-now/#fix-recompiles": "fix/recompiles/",
    "production/what-now/#fix-complex-numbers": "fix/not-faster/#complex-numbers",
    "production/what-now/#message-usererror": "reference/messages/#message-usererror",
    "production/what-now/#production-what_now-several-1-2-15-16": (
        "fix/several/#production-what_now-several-1-2-15-16"
    ),
    "production/what-now/#key-question": "fix/#key-question",
}


def files(folders: bool, *names: str) -> Files:
    return Files([File(name, "docs", "site", folders) for name in names])


@pytest.mark.parametrize(
    ("folders", "path", "address", "section"),
    [
        (True, "a/old/index.html", "../../b/", "../../b/c/#*"),
        (False, "a/old.html", "../b/index.html", "../b/c.html#*"),
    ],
)
def test_a_page_at_an_old_address_has_the_new_ones(folders: bool, path: str, address: str, section: str) -> None:
    moved = {"a/old.md": "b/index.md", "a/old.md#part-*": "b/c.md#*"}
    written = pages_at_old_addresses(moved, files(folders, "b/index.md", "b/c.md"), folders)
    assert list(written) == [path]
    assert f'<link rel="canonical" href="{address}">' in written[path]
    assert f'[["part-*", "{section}"]].find' in written[path]


@pytest.mark.parametrize(
    ("moved", "why"),
    [
        ({"a.md": "c.md"}, "c.md, which is no page"),
        ({"b.md": "b.md"}, "b.md is still a page"),
        ({"a.md#part": "b.md"}, "sections of a.md have new addresses, but not the page"),
    ],
)
def test_an_address_that_leads_nowhere_ends_the_build(moved: dict[str, str], why: str) -> None:
    with pytest.raises(PluginError, match=why):
        pages_at_old_addresses(moved, files(True, "b.md"), True)


def test_each_section_is_where_its_old_address_leads(course: Project, site: Path) -> None:
    """A target without a name is a page, and the names of a family are on the page for it."""
    plugin = load_config(str(course.root / "mkdocs.yml")).plugins["compile_lessons"]
    named = [new.partition("#") for new in plugin.config.moved.values() if "#" in new]
    assert len(named) > 20
    for old, new in plugin.config.moved.items():
        page, _, name = new.partition("#")
        built = site / re.sub(r"(^|/)index/index", r"\1index", page.replace(".md", "/index.html"))
        wanted = f'id="{old.partition("#")[2].rstrip("*") if name == "*" else name}'
        assert not name or wanted in built.read_text(encoding="utf-8"), f"{old}: {new}"


@pytest.mark.browser
def test_an_old_address_leads_on(page) -> None:
    for old, new in OLD.items():
        page.goto("about:blank")
        page.goto(f"/{old}", wait_until="commit")
        page.wait_for_url(f"**/{new}", wait_until="commit")  # no page has to be painted
