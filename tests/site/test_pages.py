"""Embeds and values are found in the Markdown, with page and line; what is not one is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from compile_lessons.project import Project
from compile_lessons.site.pages import Embed, read_pages


@pytest.fixture
def read(make_project: Callable[..., Project]) -> Callable[[str], tuple[list[Embed], list[str]]]:
    def pages(text: str) -> tuple[list[Embed], list[str]]:
        embeds, problems = read_pages(make_project({"docs/part/page.md": text}))
        return embeds, [str(problem) for problem in problems]

    return pages


def test_block_and_value(read: Callable[..., tuple[list[Embed], list[str]]]) -> None:
    text = (
        '# Page\n\n```python exec="1"\nsnippet("a.py", show="tabs", highlight="1-2", collapsed=True)\n```\n\n'
        "It is `#!value a.py:x:.1f` and `#!value b.py:y`.\n"
    )
    embeds, problems = read(text)
    assert problems == []
    block, first, second = embeds
    assert (block.place, block.name, block.value) == ("docs/part/page.md:3", "a.py", None)
    assert block.options == {"show": "tabs", "highlight": "1-2", "collapsed": True}
    assert (first.place, first.name, first.value) == ("docs/part/page.md:7", "a.py", "x:.1f")
    assert (second.name, second.value) == ("b.py", "y")


def test_indented_block_and_other_fences(read: Callable[..., tuple[list[Embed], list[str]]]) -> None:
    text = (
        '??? note\n    ~~~python exec="1"\n    snippet("a.py")\n    ~~~\n\n```python\nprint("`#!value no.py:x`")\n```\n'
        '````md\n```python exec="1"\nsnippet("no.py")\n```\n````\n'
    )
    embeds, problems = read(text)
    assert [(embed.name, embed.line) for embed in embeds] == [("a.py", 2)]
    assert problems == []


@pytest.mark.parametrize(
    "body",
    ['print("typed")', "snippet()", 'snippet("a.py", "b.py")', 'snippet("a.py")\nsnippet("b.py")', "snippet(name)", ""],
)
def test_block_that_is_no_embed(read: Callable[..., tuple[list[Embed], list[str]]], body: str) -> None:
    embeds, problems = read(f'# P\n\n```python exec="1"\n{body}\n```\n')
    assert embeds == []
    assert problems == [
        'docs/part/page.md:3: an executed block holds one line: snippet("folder/name.py", option=value)'
    ]


@pytest.mark.parametrize("info", ["text", "console", "pytb", "output", "log", "pycon", "{.text}", 'text title="x"'])
def test_typed_output(read: Callable[..., tuple[list[Embed], list[str]]], info: str) -> None:
    _, [problem] = read(f"```{info}\nTrue\n```\n")
    assert problem == f"docs/part/page.md:1: a '{info}' block is typed output: embed the snippet that prints it"


@pytest.mark.parametrize("info", ["", "python", "bash", "toml", "textile"])
def test_other_blocks_are_allowed(read: Callable[..., tuple[list[Embed], list[str]]], info: str) -> None:
    assert read(f"```{info}\nx\n```\n") == ([], [])
