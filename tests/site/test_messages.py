"""What is pasted into the search leads to the row of a table about it."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from compile_lessons.site.messages import FIXES, GRAPH_BREAKS, OTHERS, messages_of

CRASHES = """<h2 id="crashes">It crashes</h2>
<tr>
<td><code>No C++ compiler</code></td>
<td><a href="../../pipeline/backends/#none">Without a C++ compiler</a></td>
</tr>
<tr>
<td><code>inductor</code></td>
<td>a backend</td>
</tr>
<tr>
<td><code>UserError</code></td>
<td>your code needs a <em>change</em></td>
</tr>
<h2 id="others">Others</h2>
<tr>
<td><code>other</code></td>
<td>words</td>
</tr>
"""


def test_a_row_of_a_fix_leads_to_its_link_or_to_its_section() -> None:
    pages: list[Any] = [SimpleNamespace(url=address.partition("#")[0], title="Title") for address in OTHERS.values()]
    messages = messages_of(FIXES, "production/what-now/", CRASHES, pages)
    assert (
        "Recompiling function",
        "dynamo/recompiles/#the-log-names-the-guard-that-failed",
        "Recompiling function: Title",
    ) in messages
    assert messages[len(OTHERS) :] == [
        ("No C++ compiler", "pipeline/backends/#none", "No C++ compiler: Without a C++ compiler"),
        ("UserError", "production/what-now/#crashes", "UserError: your code needs a change"),
    ]


def test_a_graph_break_leads_to_its_row() -> None:
    row = (
        '<tr id="gb0007"><td><a href="#gb0007"><code>GB0007</code></a></td>\n<td class="short">f() &amp; g()</td>\n'
        "<td>It can&#x27;t call <code>{fn.__<wbr>name__}</code> from here</td>"
    )
    address, label = "reference/graph-breaks/#gb0007", "GB0007 in the table of graph breaks: f() & g()"
    messages = messages_of(GRAPH_BREAKS, "reference/graph-breaks/", row, [])
    assert messages == [("f() & g()", address, label), ("It can't call {fn.__name__} from here", address, label)]
    assert messages_of("index.md", "", row, []) == []


@functools.cache
def _page(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.browser
def test_the_site_has_both_tables(site: Path) -> None:
    messages = json.loads((site / "messages.json").read_text())
    for _, address, _ in messages:
        page, _, anchor = address.partition("#")
        assert f'id="{anchor}"' in _page(site / page / "index.html") or not anchor, address
    texts = {text for text, *_ in messages}
    assert len(texts) > 450 and {"Attempted to call function marked as skipped", "InternalTorchDynamoError"} <= texts
