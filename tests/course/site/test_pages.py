"""Embeds and values are found in the Markdown, with page and line; what is not one is named."""

from collections.abc import Callable

import pytest

from compile_lessons.course.site.pages import Embed, EmbedError, InlineValue, Use, parse_embed, parse_value, read_pages
from compile_lessons.ground.project import Project


@pytest.fixture
def read(make_project: Callable[..., Project]) -> Callable[[str], tuple[list[Use], list[str]]]:
    def pages(text: str) -> tuple[list[Use], list[str]]:
        embeds, problems = read_pages(make_project({"docs/part/page.md": text}))
        return embeds, [str(problem) for problem in problems]

    return pages


def test_block_and_value(read: Callable[..., tuple[list[Use], list[str]]]) -> None:
    text = (
        '# Page\n\n```python exec="1"\nsnippet("a.py", show="tabs", highlight="1-2", collapsed=True)\n```\n\n'
        "It is `#!value a.py:x:.1f` and `#!value b.py:y`.\n"
    )
    uses, problems = read(text)
    assert problems == []
    assert uses == [
        Use("docs/part/page.md", 3, Embed("a.py", show="tabs", highlight="1-2", collapsed=True)),
        Use("docs/part/page.md", 7, InlineValue("a.py", "x", ".1f")),
        Use("docs/part/page.md", 7, InlineValue("b.py", "y")),
    ]
    assert (uses[1].place, uses[1].name) == ("docs/part/page.md:7", "a.py")


def test_indented_block_and_other_fences(read: Callable[..., tuple[list[Use], list[str]]]) -> None:
    text = (
        '??? note\n    ~~~python exec="1"\n    snippet("a.py")\n    ~~~\n\n```python\nprint("`#!value no.py:x`")\n```\n'
        '````md\n```python exec="1"\nsnippet("no.py")\n```\n````\n'
    )
    uses, problems = read(text)
    assert [(use.name, use.line) for use in uses] == [("a.py", 2)]
    assert problems == []


@pytest.mark.parametrize(
    "body",
    [
        'print("typed")',
        "snippet()",
        'snippet("a.py", "b.py")',
        'snippet("a.py")\nsnippet("b.py")',
        "snippet(name)",
        'page.snippet("a.py")',
        "",
    ],
)
def test_block_that_is_no_embed(read: Callable[..., tuple[list[Use], list[str]]], body: str) -> None:
    uses, problems = read(f'# P\n\n```python exec="1"\n{body}\n```\n')
    assert uses == []
    assert problems == [
        'docs/part/page.md:3: an executed block holds one line: snippet("folder/name.py", option=value)'
    ]


@pytest.mark.parametrize("info", ["text", "console", "pytb", "output", "log", "pycon", "{.text}", 'text title="x"'])
def test_typed_output(read: Callable[..., tuple[list[Use], list[str]]], info: str) -> None:
    _, [problem] = read(f"```{info}\nTrue\n```\n")
    assert problem == f"docs/part/page.md:1: a '{info}' block is typed output. Fix: embed the snippet that prints it"


@pytest.mark.parametrize("info", ["", "python", "bash", "toml", "textile"])
def test_other_blocks_are_allowed(read: Callable[..., tuple[list[Use], list[str]]], info: str) -> None:
    assert read(f"```{info}\nx\n```\n") == ([], [])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            'snippet("a.py", size=1)',
            "snippet() has no option size; it has collapsed, highlight, language",
        ),
        ('snippet("a.py", show="all")', "snippet('a.py'): Invalid enum value 'all' - at `show`"),
        ('snippet("a.py", highlight=3)', "Expected `str`, got `int` - at `highlight`"),
        ('snippet("a.py", collapsed="yes")', "Expected `bool`, got `str` - at `collapsed`"),
        ('snippet("a.py", **{})', "snippet() has no option **"),
        ("snippet(3)", "Expected `str`, got `int` - at `name`"),
    ],
)
def test_wrong_option(line: str, message: str) -> None:
    with pytest.raises(EmbedError) as caught:
        parse_embed(line)
    assert message in str(caught.value)


def test_value() -> None:
    assert parse_value("a/b.py:x") == InlineValue("a/b.py", "x", "")
    assert parse_value(" a.py:x:>8,.1f ") == InlineValue("a.py", "x", ">8,.1f")
