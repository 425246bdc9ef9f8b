"""What a snippet declares is read, and what is wrong in it is named with its file, its line and what is allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from compile_lessons.project import Project
from compile_lessons.records.snippet import Expected, Snippet, SnippetError, load


@pytest.fixture
def read(make_project: Callable[..., Project]) -> Callable[[str | bytes], Snippet]:
    return lambda source: load(make_project({"snippets/part/a.py": source, "snippets/part/data.txt": ""}), "part/a.py")


def block(*lines: str) -> str:
    return "".join(["# /// lesson\n", *(f"# {line}\n" for line in lines), "# ///\n"])


def test_nothing_declared(read: Callable[..., Snippet]) -> None:
    snippet = read("x = 1\n")
    assert (snippet.title, snippet.first_line, snippet.code) == ("part/a.py", 1, "x = 1\n")
    assert (snippet.needs, snippet.raises, snippet.timeout, snippet.memory_mib) == ((), None, 120.0, 4096)
    assert snippet.command == "python snippets/part/a.py"
    assert not snippet.keeps_caches


def test_everything_declared(read: Callable[..., Snippet]) -> None:
    snippet = read(
        block(
            'needs = ["compiler", "triton"]',
            'raises = {type = "ValueError", message = "m"}',
            "varies.output = ['\\d+ ms']",
            'varies.values = ["ms"]',
            'env = {A = "x y"}',
            'data = ["data.txt"]',
            "timeout = 2.5",
            "memory = 100",
            'caches = "keep"',
        )
        + '"""A title.\n\nMore.\n"""\nx = 1\n'
    )
    assert snippet.title == "A title"
    assert snippet.needs == ("compiler", "triton")
    assert snippet.raises == Expected("ValueError", "m")
    assert (snippet.varying_output, snippet.varying_values) == ((r"\d+ ms",), ("ms",))
    assert [path.name for path in snippet.data] == ["data.txt"]
    assert (snippet.timeout, snippet.memory_mib, snippet.keeps_caches) == (2.5, 100, True)
    assert snippet.command == "A='x y' python snippets/part/a.py"
    assert snippet.first_line == 12
    assert snippet.code.startswith('"""A title.')


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("colour = 1", "unknown key colour in its lesson block; known are caches, data"),
        ('needs = "gpu"', "needs = 'gpu': a list of compiler, gpu, triton"),
        ('needs = ["cuda"]', "a list of compiler, gpu, triton"),
        ("needs = [[1]]", "a list of compiler, gpu, triton"),
        ('raises = "ValueError"', "raises = 'ValueError': a table with type"),
        ('raises = {message = "x"}', "a table with type"),
        ("raises = {type = 1}", "a table with type"),
        ('varies = "x"', "a table with output, values"),
        ('varies.output = "x"', "each a list of strings"),
        ("varies.values = [1]", "each a list of strings"),
        ("varies.output = ['(']", "varies.output: '(' is not a regular expression"),
        ("env = {A = 1}", "a table of strings"),
        ('env = ["A"]', "a table of strings"),
        ('data = "data.txt"', "a list of files"),
        ('data = ["gone.txt"]', "its declared data gone.txt is missing"),
        ('timeout = "1"', "timeout = '1': a positive number"),
        ("timeout = 0", "a positive number"),
        ("memory = true", "a positive number"),
        ('caches = "empty"', '"keep" is the only setting'),
    ],
)
def test_wrong_declaration(read: Callable[..., Snippet], line: str, message: str) -> None:
    with pytest.raises(SnippetError) as caught:
        read(block(line))
    assert str(caught.value).startswith("snippets/part/a.py")
    assert message in str(caught.value)


def test_not_toml_names_the_line_of_the_file(read: Callable[..., Snippet]) -> None:
    with pytest.raises(SnippetError, match=r"snippets/part/a.py: .* is not TOML: .*line 3"):
        read(block("timeout = 1", "needs = ["[:-1] + "x y"))


def test_block_not_closed(read: Callable[..., Snippet]) -> None:
    with pytest.raises(SnippetError, match=r"snippets/part/a.py:1: .*not closed"):
        read("# /// lesson\n# timeout = 1\nx = 1\n")


def test_syntax_error_is_left_to_the_run(read: Callable[..., Snippet]) -> None:
    assert read("if x\n").title == "part/a.py"


def test_not_utf8(read: Callable[..., Snippet]) -> None:
    with pytest.raises(SnippetError, match=r"snippets/part/a.py:3: not UTF-8 .*save it as UTF-8"):
        read(b"x = 1\n\ny = '\xff'\n")


def test_missing_and_folder(make_project: Callable[..., Project]) -> None:
    project = make_project({"snippets/part/guards.py": ""})
    with pytest.raises(SnippetError, match=r"part/guard.py: no such file; did you mean part/guards.py\?"):
        load(project, "part/guard.py")
    with pytest.raises(SnippetError, match=r"zzz: no such file$"):
        load(project, "zzz")
    with pytest.raises(SnippetError, match=r"snippets/part: cannot be read"):
        load(project, "part")


REGIONS = """x = 1
# region first
a = 1
# region inner
b = 2
# endregion inner
c = 3
# endregion first
def f():
    # region body
    if x:

        return 1
    # endregion
# region open
"""


def test_regions(read: Callable[..., Snippet]) -> None:
    snippet = read(block("timeout = 1") + REGIONS)
    assert snippet.region(None) == (REGIONS, 4)
    assert snippet.region("inner") == ("b = 2\n", 8)
    assert snippet.region("first") == ("a = 1\n# region inner\nb = 2\n# endregion inner\nc = 3\n", 6)
    assert snippet.region("body") == ("if x:\n\n    return 1\n", 14)


def test_missing_regions(read: Callable[..., Snippet]) -> None:
    snippet = read(REGIONS)
    with pytest.raises(SnippetError, match=r"snippets/part/a.py: no region 'none'; it has first, inner, body, open"):
        snippet.region("none")
    with pytest.raises(SnippetError, match=r"region 'open' is never closed with '# endregion'"):
        snippet.region("open")
    with pytest.raises(SnippetError, match=r"no region 'a'; it has none"):
        read("x = 1\n").region("a")
