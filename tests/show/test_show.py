"""``show`` prints in a terminal, and leaves the rich form where the runner looks for it."""

import json
from pathlib import Path
from typing import Any

import pytest

from compile_lessons import Table, show
from compile_lessons.show import MARK, RESULTS_FILE, mime_bundle


class Html:
    def __init__(self, html: Any = "<b>x</b>") -> None:
        self.html = html

    def __str__(self) -> str:
        return "plain"

    def _repr_html_(self) -> Any:
        return self.html


class Bundle(Html):
    def _repr_mimebundle_(self, include: Any, exclude: Any) -> Any:
        return self.html


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(RESULTS_FILE, str(tmp_path / "rich"))
    return tmp_path / "rich"


def test_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(RESULTS_FILE, raising=False)
    show(Html())
    show(3)
    assert capsys.readouterr().out == "plain\n3\n"


def test_runner(capsys: pytest.CaptureFixture[str], results: Path) -> None:
    show(Html())
    show("no rich form")
    show(Bundle({"text/plain": "p", "image/svg+xml": "<svg/>"}))
    assert capsys.readouterr().out == f"{MARK}plain\n{MARK}no rich form\n{MARK}plain\n{MARK}"
    assert [json.loads(line) for line in results.read_text().splitlines()] == [
        {"text/html": "<b>x</b>"},
        {"image/svg+xml": "<svg/>"},
    ]


def test_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    from types import SimpleNamespace

    shown: list[Any] = []
    shell = SimpleNamespace(has_trait=lambda name: name == "kernel")
    display = SimpleNamespace(display=shown.append)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell, display=display))
    table = Table(["a"], [[1]])
    show(table)
    assert shown == [table]


@pytest.mark.parametrize(
    ("obj", "bundle"),
    [
        (1, {}),
        (Html(), {"text/html": "<b>x</b>"}),
        (Html(None), {}),
        (Html, {}),
        (Bundle({"text/plain": "p"}), {}),
        (Bundle(({"text/html": "h"}, {"metadata": 1})), {"text/html": "h"}),
        (Bundle({"text/html": "h", "image/png": b"bytes"}), {"text/html": "h"}),
        (Bundle(None), {}),
    ],
)
def test_mime_bundle(obj: Any, bundle: dict[str, str]) -> None:
    assert mime_bundle(obj) == bundle
