"""The Markdown twins of the pages: what becomes of each construct, and that all pages have one with their outputs."""

import re
import shutil
import textwrap
from pathlib import Path

import pytest
from small_site import small_site

from compile_lessons.course.records.plan import find_record, plan
from compile_lessons.course.records.store import Store
from compile_lessons.course.site.lookup import Lookup
from compile_lessons.course.site.pages import Embed, read_pages
from compile_lessons.course.site.parts import outputs_of
from compile_lessons.course.site.twins import description, link, twin, twin_address
from compile_lessons.ground.project import Project


@pytest.fixture(scope="module")
def lookup(tmp_path_factory: pytest.TempPathFactory, small_site_cache: Path) -> Lookup:
    project = small_site(
        tmp_path_factory.mktemp("twins"), {"snippets/c.cpp": "// --8<-- [start:one]\nint one;\n// --8<-- [end:one]\n"}
    )
    shutil.copytree(small_site_cache, project.cache)
    return Lookup(project, serving=False)


def embed(call: str) -> str:
    return f'```python exec="1"\n{call}\n```'


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("It is `#!value part/all.py:ratio:.1f`.", "It is 2.3.\n"),
        ("# T\n\n5 minutes\n{ .lesson-facts }\n\nText.", "# T\n\n5 minutes\n\nText.\n"),
        ("## Modes { #modes }", "## Modes\n"),
        ('<div class="grid" markdown>\n- a\n</div>', "- a\n"),
        (
            "[a](../other/page.md#x) and [b](https://x.org/y.md)",
            "[a](../../other/page/index.md#x) and [b](https://x.org/y.md)\n",
        ),
        ("[the notebook](x.ipynb){ download }, too", "[the notebook](../x.ipynb), too\n"),
        ('??? question "Why?"\n    Because.\n\n    And so.\nAfter.', "**Why?**\nBecause.\n\nAnd so.\nAfter.\n"),
        ('??? question "He says: \\"slow.\\" Why?"\n    Because.', '**He says: "slow." Why?**\nBecause.\n'),
        ("```sh\nls { #a }\n```", "```sh\nls { #a }\n```\n"),
        ('```cpp\n--8<-- "snippets/c.cpp:one"\n```', "```cpp\nint one;\n```\n"),
        (
            embed('snippet("part/all.py", show="source", region="body")'),
            "`snippets/part/all.py`:\n\n```python\ncount = 3\n```\n",
        ),
    ],
)
def test_markdown_becomes_plain(lookup: Lookup, markdown: str, expected: str) -> None:
    assert twin(markdown, "part/page.md", lookup) == expected


def test_source_and_output_are_fenced(lookup: Lookup) -> None:
    tab = '=== "Tab"\n\n' + textwrap.indent(embed('snippet("part/checked.py")'), "    ")
    text = twin(tab, "p.md", lookup)
    assert text.startswith('**Tab**\n\n`snippets/part/checked.py`:\n\n```python\n"""Checked."""\n\ntotal = 3\n```\n')
    assert "Output of `python snippets/part/checked.py` (ran 20" in text and text.endswith("): nothing.\n")
    shown = twin(embed('snippet("part/all.py", show="output", lines="2")'), "p.md", lookup)
    assert shown.endswith("\n\n```text\nsecond\n```\n")


def test_a_snippet_that_failed_says_so(lookup: Lookup, small_site_cache: Path) -> None:
    (lookup.project.snippets / "part/fails.py").write_text('print("so far")\nraise RuntimeError("broken")\n')
    assert "No output: raised RuntimeError: broken" in twin(embed('snippet("part/fails.py")'), "p.md", lookup)


def test_documentation_of_the_package(lookup: Lookup) -> None:
    text = twin("::: compile_lessons.Table\n    options:\n      heading_level: 3\n\nAfter.", "p.md", lookup)
    assert (
        "```python\nTable(columns: Sequence[str], rows: Sequence[Sequence[Any]], *, kinds: Mapping[str, Kind]" in text
    )
    assert "Rows under named columns." in text and text.endswith("\nAfter.\n") and "options" not in text


def test_addresses_and_links() -> None:
    assert [twin_address(page) for page in ("index.md", "a/b.md")] == ["index.md", "a/b/index.md"]
    assert link("index.md", "a/b.md") == "a/b/index.md"
    assert link("a/b.md", "c.md") == "../c/index.md"
    assert link("a/b.md", "../index.md") == "../../index.md"


def test_a_description_is_the_first_paragraph_in_whole_sentences() -> None:
    facts = "# T\n\n5 minutes · needs only PyTorch\n\n"
    text = facts + "You can [do](x.md) `this` and\n**that**. Then" + " many words" * 20 + ".\n"
    assert description(text) == "You can do this and that."


def test_every_page_has_a_twin_with_its_outputs(course: Project, site: Path) -> None:
    uses = [use for use in read_pages(course)[0] if isinstance(use.what, Embed) and use.what.show != "source"]
    assert len(uses) > 400
    for page in sorted(course.docs.rglob("*.md")):
        name = page.relative_to(course.docs).as_posix()
        text = (site / twin_address(name)).read_text(encoding="utf-8")
        assert not re.search(r'^\s*(?:snippet\(|:::|--8<--|\?\?\? )|#!value|exec="1"', text, re.M), name
        for use in uses:
            if use.page == f"docs/{name}":
                record, _ = find_record(Store(course), plan(course, use.name))
                assert record and "".join(item.text for item in outputs_of(record, use.what)).rstrip() in text, (
                    use.place
                )


def test_links_between_twins_lead_to_twins(course: Project, site: Path) -> None:
    twins = list(site.rglob("index.md"))
    assert twins
    for path in twins:
        text = re.sub(r"^(`{3,}).*?^\1$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
        for target in re.findall(r"\]\(([\w./-]+\.md)", text):
            assert (path.parent / target).is_file(), f"{path.relative_to(site)}: {target}"


def test_a_page_links_to_its_twin_and_llms_txt_lists_it(course: Project, site: Path) -> None:
    listed = re.findall(
        r"^- \[[^]]+\]\(https://[^/]+/compile-lessons/(\S+)\): (.+)$", (site / "llms.txt").read_text(), re.M
    )
    pages = sorted(page.relative_to(course.docs).as_posix() for page in course.docs.rglob("*.md"))
    assert sorted(where for where, _ in listed) == sorted(twin_address(page) for page in pages)
    assert all(len(about) > 20 for _, about in listed)
    for page in pages:
        html = (site / twin_address(page)).with_suffix(".html").read_text(encoding="utf-8")
        assert '<link rel="alternate " type="text/markdown" href="index.md">' in html, page
        assert 'title="This page as Markdown' in html, page
