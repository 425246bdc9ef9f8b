"""What a server that renders pages on demand has run."""

import http.client
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from material.plugins.search.plugin import SearchIndex, SearchPlugin
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer

from compile_lessons.course.site import serving
from compile_lessons.course.site.plugin import SitePlugin, _check_port
from compile_lessons.course.site.serving import OnDemand, Rendered


def test_a_deleted_page_is_gone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("compile_lessons.course.site.serving._documents", lambda config: {})
    on_demand = OnDemand()
    for name in "ab":
        (tmp_path / f"{name}.html").touch()
    for names in ("ab", "a"):
        pages: list[Any] = [SimpleNamespace(dest_path=f"{name}.html", abs_src_path=f"{name}.md") for name in names]
        files: Any = SimpleNamespace(documentation_pages=lambda pages=pages: pages)
        config: Any = SimpleNamespace(site_dir=tmp_path)
        unused: Any = None
        nav: Any = SimpleNamespace(pages=[])
        on_demand.take_in(config, files, nav, unused)
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]


def test_a_page_has_news_once_it_lacks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run can be quicker than a browser that got the page before and asks now; the page is rendered again by then."""
    run = SimpleNamespace(running=frozenset, failure=lambda key: None, is_busy=lambda: False)
    answers = SimpleNamespace(run=run, store=SimpleNamespace(path=Path))
    monkeypatch.setattr("compile_lessons.course.site.serving.lookup", lambda: answers)
    on_demand = OnDemand()
    waits = Rendered(time.time_ns(), frozenset(), {"a.py": "missing"}, frozenset())
    for path, page in {"a/index.html": waits, "b/index.html": replace(waits, lacking={})}.items():
        on_demand.rendered[path] = page
    assert [json.loads(on_demand._news(path))["news"] for path in ("a/", "b/", "unknown/")] == [False, True, True]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # the end of the thread
def test_the_work_goes_on_after_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    tries = []

    def write(config: object) -> None:
        tries.append(config)
        if len(tries) == 2:
            sys.exit()  # ends the thread
        raise OSError("no space left")

    on_demand = OnDemand()
    on_demand.config, on_demand.search_is_old = SimpleNamespace(), True
    run = SimpleNamespace(is_busy=lambda: False, process=None, start=lambda: setattr(on_demand, "search_is_old", True))
    monkeypatch.setattr(serving, "lookup", lambda: SimpleNamespace(run=run))
    monkeypatch.setattr(serving, "CAN_FORK", True)
    monkeypatch.setattr(serving, "search_of", lambda config: SimpleNamespace(on_post_build=write))
    monkeypatch.setattr(serving, "_RETRY", 0)
    work = threading.Thread(target=on_demand._work, daemon=True)
    work.start()
    work.join(10)
    assert len(tries) == 2 and not work.is_alive(), "the first error ended the work"
    assert "OSError: no space left" in capsys.readouterr().err and not on_demand.search_is_old


def test_names_of_the_themes_search() -> None:
    """``search_of`` returns the plugin with these, which nothing documents."""
    assert SearchPlugin().search_index_prev is None
    assert SearchIndex().entries == []


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Callable[[str, str], tuple[int, str]]]:
    """Ask a server that is at 127.0.0.1 and renders on demand, with a ``Host``. Returns the status and the answer."""
    (tmp_path / "index.html").write_text("the page")
    server = LiveReloadServer(builder=lambda: None, host="127.0.0.1", port=0, root=str(tmp_path))
    plugin, config = SitePlugin(), SimpleNamespace(dev_addr=SimpleNamespace(host="127.0.0.1"))
    plugin.on_demand = OnDemand()
    plugin.on_demand._work = lambda: None  # type: ignore[method-assign]
    plugin.on_serve(server, config=config)  # type: ignore[arg-type]
    server.server_bind()
    server.server_activate()
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def request(path: str, host: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection(*server.server_address[:2], timeout=30)
        connection.request("GET", path, headers={"Host": host})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    yield request
    server.shutdown()
    server.server_close()


def test_only_what_is_meant_for_the_server_is_answered(ask: Callable[[str, str], tuple[int, str]]) -> None:
    """A name of another site that leads to this machine gets neither pages nor news."""
    status, page = ask("/", "localhost:8000")
    assert status == 200 and "the page" in page
    for path in ("/", "/news.json", "/livereload/0/0"):
        status, text = ask(path, "site.example:8000")
        assert status == 403 and "at 127.0.0.1, localhost, [::1], not at site.example:8000. Fix: " in text


def test_news_of_a_page_that_is_named_twice(
    ask: Callable[[str, str], tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "lookup", lambda: SimpleNamespace(run=SimpleNamespace(is_busy=lambda: False)))
    for query in ("?page=a&page=b", "?page=a", "?page", "?", ""):
        assert ask(f"/news.json{query}", "127.0.0.1") == (200, '{"news": true, "progress": null}')


def test_a_port_in_use_is_told_before_the_build() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        host, port = other.getsockname()
        _check_port(host, port)
        other.listen()
        with pytest.raises(PluginError, match=f"port {port} is in use. Fix: end that server, or: make serve PORT="):
            _check_port(host, port)
