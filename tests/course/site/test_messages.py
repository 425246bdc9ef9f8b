"""What is pasted into the search leads to the row of a table about it."""

import functools
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mkdocs.config import load_config
from mkdocs.structure.files import get_files
from mkdocs.structure.nav import get_navigation

from compile_lessons.course.site.messages import (
    GRAPH_BREAKS,
    at_its_fix,
    fixes_in,
    messages_of,
    with_fixes,
)
from compile_lessons.findings.catalogue import MESSAGES, catalogue
from compile_lessons.ground.project import Project
from compile_lessons.show.listing import Listing

PAGES: list[Any] = [
    SimpleNamespace(url=f"{lesson.partition('#')[0]}/", title="Title", meta={})
    for lesson in [
        *(entry.lesson for entry in catalogue().printed()),
        *catalogue().questions.values(),
        *(cause.lesson for cause in catalogue().guards),
    ]
]


def test_the_page_of_messages_brings_the_catalogue() -> None:
    messages = messages_of(f"{MESSAGES}.md", f"{MESSAGES}/", "", PAGES)
    by_text = {text: rest for text, *rest in messages}
    address = "dynamo/recompiles/#the-log-names-the-guard-that-failed"
    assert by_text["Recompiling function"][0] == address
    assert by_text["UserError"] == [
        f"{MESSAGES}/#message-usererror",
        "UserError: your code needs a change, which the message names",
    ]
    assert by_text["lora"] == ["dynamo/recompile-limit/#adapters", "lora: Title", "name"]
    guards = {label: pattern for pattern, _, label, *kind in messages if kind == ["guard"]}
    assert len(guards) == len(catalogue().guards) - 2
    [pattern] = (pattern for label, pattern in guards.items() if label.startswith("the attribute {source}"))
    assert pattern.startswith(r"(?:^|") and "(?<source>" in pattern


def test_a_graph_break_leads_to_its_row() -> None:
    row = ["GB0007", "f() & g()", "It can't call `{fn.__name__}` from here"]
    listing = Listing(["id", "what", "why"], [row, ["GB0007", "another", "with the same address"]])
    address, label = "reference/graph-breaks/#gb0007", "GB0007 in the table of graph breaks: f() & g()"
    messages = messages_of(GRAPH_BREAKS, "reference/graph-breaks/", "", [], [listing])
    assert messages == [("f() & g()", address, label), ("It can't call {fn.__name__} from here", address, label)]
    assert 'id="gb0007"' in listing.html() and messages_of("index.md", "", "", [], [listing]) == []


def test_a_section_opens_at_its_first_fix() -> None:
    fix = "<p><strong>Fix:</strong> do this</p>"
    other = fix.replace("Fix", "Fix, for one")
    page = with_fixes(f'{fix}<h2 id="a">A</h2><p>text</p>{fix}{fix}<h3 class="wrong" id="b">B</h3>{other}{fix}')
    assert page.count('class="fix"') == 5
    assert fixes_in("p/", page) == {"p/#fix-a", "p/#fix-b"}
    assert '<p id="fix-b"><strong class="fix">Fix:<' in page
    assert page.index('id="fix-a"') < page.index("do this", page.index("text"))
    for address, opened in {"p/#a": "p/#fix-a", "p/#c": "p/#c", "p/": "p/", "q/#a": "q/#a"}.items():
        assert at_its_fix(address, fixes_in("p/", page)) == opened


@pytest.mark.parametrize("folders", [True, False])
def test_each_answer_leads_to_a_page_of_the_course(folders: bool, course: Project) -> None:
    """A site to be read from files, ``make offline``, has other addresses."""
    config = load_config(str(course.root / "mkdocs.yml"), use_directory_urls=folders)
    files = get_files(config)
    pages = get_navigation(files, config).pages
    for page in pages:
        page.title, page.meta = "Title", {}
    [fixes] = [page for page in pages if page.file.src_uri == f"{MESSAGES}.md"]
    messages = messages_of(f"{MESSAGES}.md", fixes.url, "", pages)
    urls = {page.url for page in pages}
    assert len(messages) > 150 and {address.partition("#")[0] for _, address, *_ in messages} <= urls
    assert all(url.endswith(".html") for url in urls) != folders


def test_an_error_in_an_output_leads_to_its_section_where_that_has_a_fix() -> None:
    line = "<span>TypeError: &#39;f&#39; has 3 <b>arguments</b> and was given no function</span>"
    output = f'<div class="snippet-output"><pre>words\n{line}\n</pre>'
    page: Any = SimpleNamespace(url="a/", title="A", meta={"tags": ["lab 7", "words"]})
    shown = f'<h2 id="one"></h2>{output}<h3 id="two"></h3>{output}<p id="fix-two">Fix: three arguments</p>'
    lab, message = messages_of("a.md", "a/", shown, [page])
    assert lab == ("lab 7", "a/", "Lab 7: A", "name")
    assert message == (
        "{…} has {…} arguments and was given no function",
        "a/#two",
        "TypeError: 'f' has 3 arguments and was given no function …: A",
        "printed",
    )


def test_an_option_leads_to_its_row() -> None:
    listing = Listing(["option", "what"], [["fx_graph_cache", "keeps graphs"]], prefix="inductor.")
    assert 'id="inductor.fx_graph_cache"' in listing.html()
    page: Any = SimpleNamespace(url="o/", title="Options", meta={})
    [message] = messages_of("reference/inductor-options.md", "o/", "", [page], [listing])
    assert message == ("fx_graph_cache", "o/#inductor.fx_graph_cache", "fx_graph_cache: Options", "name")
    lesson: Any = SimpleNamespace(url="l/", title="Caches", meta={"tags": ["FX_graph_cache"]})
    assert messages_of("reference/inductor-options.md", "o/", "", [page, lesson], [listing]) == []


@functools.cache
def _page(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.browser
def test_the_site_has_both_tables(site: Path) -> None:
    messages = json.loads((site / "messages.json").read_text())
    opened = [address for _, address, *_ in messages if "#fix-" in address]
    assert len(opened) > 60 and "dynamo/recompile-limit/#fix-strings" in opened
    for _, address, *_ in messages:
        page, _, anchor = address.partition("#")
        assert f'id="{anchor}"' in _page(site / page / "index.html") or not anchor, address
    texts = {text for text, *_ in messages}
    assert {"fx_graph_cache", "TORCHDYNAMO_VERBOSE"} <= texts and "recompile_limit" not in texts
    assert len(texts) > 450 and {"Attempted to call function marked as skipped", "InternalTorchDynamoError"} <= texts
