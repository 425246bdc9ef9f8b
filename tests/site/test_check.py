"""``check`` finds what must not be published, and says where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from compile_lessons.project import Project
from compile_lessons.records.runner import run
from compile_lessons.site.check import check


def page(call: str) -> str:
    return f'# P\n\n```python exec="1"\n{call}\n```\n'


@pytest.fixture
def checked(make_project: Callable[..., Project]) -> Callable[..., list[str]]:
    """Problems of a project of the given files, its snippets run."""

    def problems(files: dict[str, str], ran: bool = True) -> list[str]:
        project = make_project(files)
        if ran:
            run(project, project.snippet_names(), fork=False)
        return [str(problem) for problem in check(project)]

    return problems


def test_nothing_wrong(checked: Callable[..., list[str]]) -> None:
    assert checked({"docs/p.md": page('snippet("a.py")') + "\n`#!value a.py:x`\n", "snippets/a.py": "x = 1\n"}) == []


def test_orphan(checked: Callable[..., list[str]]) -> None:
    assert checked({"snippets/a.py": "", "snippets/_helper.py": ""}) == [
        "snippets/a.py: no page shows it: embed it or delete it"
    ]


def test_embed_without_snippet(checked: Callable[..., list[str]]) -> None:
    files = {"docs/p.md": page('snippet("aa.py")') + page('snippet("a.py")'), "snippets/a.py": ""}
    assert checked(files) == ["docs/p.md:3: snippets/aa.py: no such file; did you mean a.py?"]


def test_no_record(checked: Callable[..., list[str]]) -> None:
    files = {"docs/p.md": page('snippet("a.py")'), "snippets/a.py": ""}
    assert checked(files, ran=False) == ["docs/p.md:3: snippets/a.py: has no record: compile-lessons run"]


def test_edited_since_it_ran(make_project: Callable[..., Project]) -> None:
    project = make_project({"docs/p.md": page('snippet("a.py")'), "snippets/a.py": "x = 1\n"})
    run(project, ["a.py"], fork=False)
    (project.snippets / "a.py").write_text("x = 22\n")
    assert [str(problem) for problem in check(project)] == [
        "docs/p.md:3: snippets/a.py: has no record: compile-lessons run"
    ]


def test_failed_snippet(checked: Callable[..., list[str]]) -> None:
    files = {"docs/p.md": page('snippet("a.py")'), "snippets/a.py": "\n\n1 / 0\n"}
    assert checked(files) == ["snippets/a.py:3: raised ZeroDivisionError: division by zero (shown on docs/p.md:3)"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('snippet("a.py", size=1)', "snippet() has no option size; it has collapsed, highlight, lines, region, show"),
        ('snippet("a.py", show="all")', "show='all' is not one of both, source, output, tabs"),
        ('snippet("a.py", region="r")', "no region 'r'; it has none"),
        ('snippet("a.py", highlight="b")', "'b' is not a line or a range of lines"),
        ('snippet("a.py", highlight="9")', "highlight 9 is not among the lines shown, 1 to 2"),
        ('snippet("a.py", lines="7")', "its output has 1 lines, no line 7"),
        ('snippet("a.py", highlight=3)', "highlight=3: text such as '3 5-7'"),
    ],
)
def test_wrong_option(checked: Callable[..., list[str]], call: str, message: str) -> None:
    [problem] = checked({"docs/p.md": page(call), "snippets/a.py": "x = 1\nprint(x)\n"})
    assert problem.startswith("docs/p.md:3: ")
    assert message in problem


@pytest.mark.parametrize(
    ("value", "message"),
    [("y", "no value 'y' at its end; it has x"), ("x:.1q", "x cannot be shown as '.1q'"), ("", "no value ''")],
)
def test_wrong_value(checked: Callable[..., list[str]], value: str, message: str) -> None:
    [problem] = checked({"docs/p.md": f"\n`#!value a.py:{value}`\n", "snippets/a.py": "x = 1\n"})
    assert problem.startswith("docs/p.md:2: ") and message in problem


def test_typed_output(checked: Callable[..., list[str]]) -> None:
    [problem] = checked({"docs/p.md": "```text\n42\n```\n"})
    assert problem.startswith("docs/p.md:1: a 'text' block is typed output")


@pytest.fixture
def site_problems(make_project: Callable[..., Project], tmp_path: Path) -> Callable[[str], list[str]]:
    def problems(body: str) -> list[str]:
        site = tmp_path / "site"
        (site / "part").mkdir(parents=True)
        (site / "part" / "index.html").write_text(f"<html><body>{body}</body></html>")
        return [str(problem) for problem in check(make_project({}), site)]

    return problems


TRACE = "<pre>Traceback (most recent call last):\n</pre>"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>fine</p>", []),
        (f'<div class="snippet-output"><div><br></div>{TRACE}</div>', []),
        (f'<div class="snippet-source">{TRACE}</div>', []),
        (TRACE, ["a traceback that no snippet printed"]),
        (f'<div class="snippet-output"><div></div></div>{TRACE}', ["a traceback that no snippet printed"]),
        ('<div class="admonition snippet-failure" data-snippet="a.py">x</div>', ["a.py is shown as failure"]),
        ('<div class="snippet-pending" data-snippet="a.py">x</div>', ["a.py is shown as pending"]),
        ('<div class="snippet-lacking" data-snippet="a.py">x</div>', ["a.py is shown as lacking"]),
        ('<span class="snippet-failure" title="a.py: no value">?</span>', ["a.py: no value is shown as failure"]),
    ],
)
def test_built_page(site_problems: Callable[[str], list[str]], body: str, expected: list[str]) -> None:
    assert site_problems(body) == [f"site/part/index.html: {message}" for message in expected]


def test_no_site(make_project: Callable[..., Project], tmp_path: Path) -> None:
    [problem] = check(make_project({}), tmp_path / "nowhere")
    assert "no built page there: build the site first" in str(problem)


@pytest.mark.parametrize("name", ["types.py", "numpy.py"])
def test_a_name_that_hides_a_module(checked: Callable[..., list[str]], name: str) -> None:
    problems = checked({"docs/p.md": page(f'snippet("{name}")'), f"snippets/{name}": ""}, ran=False)
    assert f"snippets/{name}: hides the module {name[:-3]!r} of that name: rename it" in problems
