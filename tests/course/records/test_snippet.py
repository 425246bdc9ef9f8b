"""What a snippet declares is read, and what is wrong in it is named with its file, its line and what is allowed."""

from collections.abc import Callable

import pytest

from compile_lessons.course.records.snippet import (
    Checks,
    Declared,
    Expected,
    Snippet,
    SnippetError,
    Varies,
    load_snippet,
)
from compile_lessons.ground.project import Project


@pytest.fixture
def read(make_project: Callable[..., Project]) -> Callable[[str | bytes], Snippet]:
    return lambda source: load_snippet(
        make_project({"snippets/part/a.py": source, "snippets/part/data.txt": ""}), "part/a.py"
    )


def block(*lines: str) -> str:
    return "".join(["# /// lesson\n", *(f"# {line}\n" for line in lines), "# ///\n"])


def test_nothing_declared(read: Callable[..., Snippet]) -> None:
    snippet = read("x = 1\n")
    assert (snippet.title, snippet.first_line, snippet.code) == ("part/a.py", 1, "x = 1\n")
    assert snippet.declared == Declared(needs=(), raises=None, timeout=120.0, memory=4096)
    assert snippet.command == "python snippets/part/a.py"


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
        )
        + '"""A title.\n\nMore.\n"""\nx = 1\n'
    )
    assert snippet.title == "A title"
    declared = snippet.declared
    assert declared.needs == ("compiler", "triton")
    assert declared.raises == Expected("ValueError", "m")
    assert declared.varies == Varies((r"\d+ ms",), ("ms",))
    assert declared.data == ("data.txt",)
    assert (declared.timeout, declared.memory) == (2.5, 100)
    assert snippet.command == "A='x y' python snippets/part/a.py"
    assert snippet.first_line == 11
    assert snippet.code.startswith('"""A title.')


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "colour = 1",
            "unknown field `colour`. Its keys are data, env, fork, gpus, memory, needs, raises, timeout",
        ),
        ('needs = "gpu"', "Expected `array`, got `str` - at `$.needs`"),
        ('needs = ["cuda"]', "Invalid enum value 'cuda' - at `$.needs[0]`"),
        ("needs = [[1]]", "at `$.needs[0]`"),
        ('raises = "ValueError"', "got `str` - at `$.raises`"),
        ('raises = {message = "x"}', "missing required field `type` - at `$.raises`"),
        ("raises = {type = 1}", "at `$.raises.type`"),
        ('raises = {type = "E", text = "x"}', "unknown field `text` - at `$.raises`"),
        ('varies = "x"', "at `$.varies`"),
        ('varies.output = "x"', "at `$.varies.output`"),
        ("varies.values = [1]", "at `$.varies.values[0]`"),
        ("varies.output = ['(']", "varies.output: '(' is not a regular expression"),
        ("env = {A = 1}", "at `$.env[...]`"),
        ('env = ["A"]', "at `$.env`"),
        ('data = "data.txt"', "at `$.data`"),
        ('data = ["gone.txt"]', "its declared data gone.txt is missing"),
        ('timeout = "1"', "at `$.timeout`"),
        ("timeout = 0", "Expected `float` > 0.0 - at `$.timeout`"),
        ("memory = true", "Expected `int`, got `bool` - at `$.memory`"),
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
        load_snippet(project, "part/guard.py")
    with pytest.raises(SnippetError, match=r"zzz: no such file$"):
        load_snippet(project, "zzz")
    with pytest.raises(SnippetError, match=r"snippets/part: cannot be read"):
        load_snippet(project, "part")


REGIONS = """x = 1
# region first
a = 1
# endregion
# region second
b = 2
# endregion
def f():
    # region body
    if x:

        return 1
    # endregion
# region open
"""


def test_regions(read: Callable[..., Snippet]) -> None:
    snippet = read(block("timeout = 1") + REGIONS)
    assert snippet.region("first") == ("a = 1\n", 6)
    assert snippet.region("second") == ("b = 2\n", 9)
    assert snippet.region("body") == ("if x:\n\n    return 1\n", 13)


def test_missing_regions(read: Callable[..., Snippet]) -> None:
    snippet = read(REGIONS)
    with pytest.raises(SnippetError, match=r"snippets/part/a.py: no region 'none'; it has first, second, body, open"):
        snippet.region("none")
    with pytest.raises(SnippetError, match=r"region 'open' is never closed with '# endregion'"):
        snippet.region("open")
    with pytest.raises(SnippetError, match=r"no region 'a'; it has none"):
        read("x = 1\n").region("a")


CHECKED = """x = 1

# region body
y = 2
# endregion

# region checks
for z in (x, y):
    assert z
assert y == 2, "two"
torch.testing.assert_close(x, y)
# endregion
"""


def test_checks(read: Callable[..., Snippet]) -> None:
    snippet = read(block("timeout = 1") + "assert True\n" + CHECKED)
    assert snippet.program() == "assert True\nx = 1\n\n# region body\ny = 2\n# endregion\n"
    assert snippet.checks() == Checks(
        'for z in (x, y):\n    assert z\nassert y == 2, "two"\ntorch.testing.assert_close(x, y)\n', 12, 3
    )
    assert snippet.region("body") == ("y = 2\n", 8)


def test_without_checks(read: Callable[..., Snippet]) -> None:
    snippet = read("assert True\n")
    assert (snippet.program(), snippet.checks()) == ("assert True\n", None)


def test_checks_of_a_program_that_does_not_parse(read: Callable[..., Snippet]) -> None:
    snippet = read("if x\n# region checks\nassert x\n# endregion\n")
    assert (snippet.program(), snippet.checks()) == ("if x\n", Checks("assert x\n", 3, 1))


@pytest.mark.parametrize("after", ["print(1)\n", "\n# region more\n# endregion\n", "# a comment\n"])
def test_checks_that_are_not_last(read: Callable[..., Snippet], after: str) -> None:
    with pytest.raises(SnippetError, match=r"snippets/part/a.py:7: code follows the region 'checks'. Fix: move it"):
        read(CHECKED + after)


def test_checks_that_are_not_closed(read: Callable[..., Snippet]) -> None:
    with pytest.raises(SnippetError, match="region 'checks' is never closed"):
        read("# region checks\nassert True\n")
