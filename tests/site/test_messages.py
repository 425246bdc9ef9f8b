"""What is pasted into the search leads to the row of a table about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compile_lessons.site.messages import FIXES, GRAPH_BREAKS, messages_of

CRASHES = """<h2 id="crashes">It crashes</h2>
<tr>
<td><code>No C++ compiler</code></td>
<td><a href="../../pipeline/backends/#none">Without a C++ compiler</a></td>
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
    assert messages_of(FIXES, "production/what-now/", CRASHES) == [
        ("No C++ compiler", "pipeline/backends/#none", "No C++ compiler: Without a C++ compiler"),
        ("UserError", "production/what-now/#crashes", "UserError: your code needs a change"),
    ]


def test_a_graph_break_leads_to_its_row() -> None:
    row = '<tr id="gb0007"><td><a href="#gb0007"><code>GB0007</code></a></td>\n<td class="short">f() &amp; g()</td>'
    [message] = messages_of(GRAPH_BREAKS, "reference/graph-breaks/", row)
    assert message == ("f() & g()", "reference/graph-breaks/#gb0007", "GB0007 in the table of graph breaks")
    assert messages_of("index.md", "", row) == []


@pytest.mark.browser
def test_the_site_has_both_tables(site: Path) -> None:
    texts = {text for text, *_ in json.loads((site / "messages.json").read_text())}
    assert len(texts) > 450 and {"Attempted to call function marked as skipped", "InternalTorchDynamoError"} <= texts
