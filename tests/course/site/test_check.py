"""``check`` finds what must not be published, and says where."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from compile_lessons.course.records.runner import run_snippets
from compile_lessons.course.site.check import check
from compile_lessons.ground.project import Project


def page(call: str) -> str:
    return f'# P\n\n```python exec="1"\n{call}\n```\n'


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of snippets that several tests have: one of the same name and source runs once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def checked(make_project: Callable[..., Project], cache: Path) -> Callable[..., list[str]]:
    """Problems of a project of the given files, its snippets run."""

    def problems(files: dict[str, str], ran: bool = True) -> list[str]:
        project = make_project(files)
        if ran:
            project.cache = cache
            run_snippets(project, project.snippet_names(), fork=False)
        return [str(problem) for problem in check(project)]

    return problems


def test_nothing_wrong(checked: Callable[..., list[str]]) -> None:
    assert checked({"docs/p.md": page('snippet("a.py")') + "\n`#!value a.py:x`\n", "snippets/a.py": "x = 1\n"}) == []


def test_orphan(checked: Callable[..., list[str]]) -> None:
    assert checked({"snippets/a.py": "", "snippets/_helper.py": ""}) == [
        "snippets/a.py: no page shows it. Fix: embed it or delete it"
    ]


def test_embed_without_snippet(checked: Callable[..., list[str]]) -> None:
    files = {"docs/p.md": page('snippet("aa.py")') + page('snippet("a.py")'), "snippets/a.py": ""}
    assert checked(files) == ["docs/p.md:3: snippets/aa.py: no such file; did you mean a.py?"]


def test_no_record(checked: Callable[..., list[str]]) -> None:
    files = {"docs/p.md": page('snippet("a.py")'), "snippets/a.py": ""}
    assert checked(files, ran=False) == [
        "docs/p.md:3: snippets/a.py: has no record. Fix: python -m compile_lessons.course run"
    ]


def test_failed_snippet(checked: Callable[..., list[str]]) -> None:
    files = {"docs/p.md": page('snippet("a.py")'), "snippets/a.py": "\n\n1 / 0\n"}
    assert checked(files) == [
        "snippets/a.py:3: raised ZeroDivisionError: division by zero (shown on docs/p.md:3). "
        "Fix: correct it, or declare the exception: 'raises' in its '# /// lesson' block"
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('snippet("a.py", region="r")', "no region 'r'; it has none"),
        ('snippet("a.py", highlight="b")', "'b' is not a line or a range of lines"),
        ('snippet("a.py", highlight="9")', "highlight 9 is not among the lines shown, 1 to 2"),
        ('snippet("a.py", lines="7")', "its output has 1 lines, no line 7"),
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
        (f'<details class="snippet-checks"><div>{TRACE}</div></details>', []),
        (f'<details class="snippet-checks"><div></div></details>{TRACE}', ["a traceback that no snippet printed"]),
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


@pytest.mark.parametrize("shown", ["{}", "<span>{}</span>/x.py", "{0}/snippets", "a value in {}."])
@pytest.mark.parametrize("cut", [0, 8])
def test_path_of_this_machine_on_a_page_and_in_the_index(
    make_project: Callable[..., Project], tmp_path: Path, shown: str, cut: int
) -> None:
    """Also where it is broken over lines, as by ``textwrap``."""
    project = make_project({})
    root = str(project.root)
    text = shown.format(root[:cut] + "\n    " + root[cut:] if cut else root)
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text(f"<p>{text}</p>")
    (site / "search_index.json").write_text(json.dumps({"docs": [{"text": text}]}))
    problems = [str(problem) for problem in check(project, site)]
    assert [problem.partition(":")[0] for problem in problems] == ["site/index.html", "site/search_index.json"]
    assert all("shows a path of this machine" in problem for problem in problems)


def test_no_path_of_this_machine(site_problems: Callable[[str], list[str]]) -> None:
    assert site_problems("<p>snippets/a.py …/site-packages/torch /tmp/torchinductor_user/x ~ ./x /usr/bin</p>") == []


def test_no_site(make_project: Callable[..., Project], tmp_path: Path) -> None:
    [problem] = check(make_project({}), tmp_path / "nowhere")
    assert "no built page there. Fix: build the site first" in str(problem)


@pytest.mark.parametrize("name", ["types.py", "numpy.py"])
def test_a_name_that_hides_a_module(checked: Callable[..., list[str]], name: str) -> None:
    problems = checked({"docs/p.md": page(f'snippet("{name}")'), f"snippets/{name}": ""}, ran=False)
    assert f"snippets/{name}: hides the module {name[:-3]!r} of that name. Fix: rename it" in problems
