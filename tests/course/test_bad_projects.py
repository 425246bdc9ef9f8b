"""Inputs that nobody meant, for each command: a message that says what is wrong, with the line, and status 2 or 1."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from compile_lessons.course.cli import app
from compile_lessons.ground.project import CACHE_VARIABLE
from projects import write_project

FILES: dict[str, str | bytes] = {
    "docs/index.md": '# One\n\n```python exec="1"\nsnippet("a.py")\n```\n',
    "docs/folder.md/inside.txt": "",
    "snippets/a.py": "print(1)\n",
    "snippets/folder.py/inside.txt": "",
    "snippets/latin.py": b"# caf\xe9\n",
    "snippets/null.py": "x = 1\n\0\n",
    "snippets/deep.py": "x = " + "-" * 50_000 + "1\n",
    "a_file": "",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = write_project(tmp_path_factory.mktemp("bad"), FILES).root
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv(CACHE_VARIABLE, raising=False)
        yield folder


#: The arguments of a command, the folder of the cache, the status, and what they say.
OTHERS = [
    ("cache", "a_file", 2, "the cache {folder}/a_file is no folder. Fix: set COMPILE_LESSONS_CACHE to another path\n"),
    ("cache --prune", "a_file", 2, "is no folder"),
    ("run a.py", "a_file", 2, "is no folder"),
    ("check", "a_file", 2, "is no folder"),
    ("cache", "a_file/below", 0, "0 files"),
    ("versions a_file a_file", "", 2, "a_file is no folder"),
    ("versions nowhere nowhere", "", 2, "nowhere is no folder"),
    ("run folder.py", "", 1, "snippets/folder.py: cannot be read: Is a directory\n"),
    ("run latin.py", "", 1, "snippets/latin.py:1: not UTF-8"),
    ("run null.py --no-fork", "", 1, "source code string cannot contain null bytes"),
    ("run deep.py --no-fork", "", 1, "snippets/deep.py: raised MemoryError"),
    ("run docs/folder.md", "", 2, "docs/folder.md: no snippet, folder of snippets or page"),
    ("run a.py a.py --no-fork", "", 0, "1 snippet in "),
    ("record deep.py", "", 2, "none of these snippets needs a GPU"),
    ("check", "", 1, "snippets/deep.py: no page shows it"),
    ("cache --prune", "", 0, "snippets/latin.py:1: not UTF-8"),
    ("new index", "", 2, "'index' is not the name of a lesson"),
    ("new ../x", "", 2, "'../x' is not the name of a lesson"),
]


@pytest.mark.parametrize(("arguments", "cache", "status", "message"), OTHERS)
def test_a_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, cache: str, status: int, message: str
) -> None:
    if cache:
        monkeypatch.setenv(CACHE_VARIABLE, cache)
    result = CliRunner().invoke(app, arguments.split())
    assert result.exit_code == status, (result.output, result.exception)
    assert message.format(folder=folder) in result.output


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("docs/page.md", b"# caf\xe9\n", "docs/page.md:1: not UTF-8"),
        ("docs/page.md", b"```python exec='1'\nsnippet(" + b"(" * 300 + b"\n```\n", "an executed block holds one line"),
        ("docs/page.md", b"```python exec='1'\nsnippet(" + b"-" * 50_000 + b"1)\n```\n", "an executed block holds one"),
        ("mkdocs.yml", b"site_name: caf\xe9\n", "mkdocs.yml:1: not UTF-8"),
    ],
)
def test_a_page_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: bytes, message: str
) -> None:
    project = write_project(tmp_path, {"snippets/a.py": "", name: text})
    monkeypatch.chdir(project.root)
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    result = CliRunner().invoke(app, ["run", "--no-fork"] if name == "mkdocs.yml" else ["check"])
    assert result.exit_code in (1, 2) and message in result.output, (result.output, result.exception)
