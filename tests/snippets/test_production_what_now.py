"""What docs/production/what-now.md shows of its logs: the lines are picked by number, so the log must not move."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs/production/what-now.md"
SHOWN = re.findall(r'snippet\("([^"]+)", show="output", lines="([^"]+)"\)', PAGE.read_text(encoding="utf-8"))
FIRST = [
    "Recompiling function forward",
    "position",
    "Graph break in user code",
    "function",
    "eager fails first",
    "no backend fails",
    "Graph break in user code",
    "Recompiling function torch_dynamo_resume_in_loss",
    "function",
]


def test_each_embed_has_its_first_line():
    assert len(SHOWN) == len(FIRST)


@pytest.mark.parametrize(("embed", "first"), list(zip(SHOWN, FIRST, strict=True)))
def test_the_lines_shown_begin_where_the_page_says(record, embed, first):
    name, lines = embed
    text = record(name).text.splitlines()
    assert text[int(lines.split("-")[0]) - 1].startswith(first)
    if first in ("position", "function"):  # a table ends the output
        assert int(lines.split("-")[-1]) == len(text)
