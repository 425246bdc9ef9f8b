"""``mkdocs serve``: a page is rendered when a reader asks for it, and the others meanwhile, one by one.

MkDocs renders every page before it serves the first one, and answers no request while it builds. Here its builds take
in what has changed and render nothing, and an edited snippet or a new record needs no build. A page that waits for a
record asks now and then whether it has news, and then loads again.
"""

import html
import json
import threading
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import jinja2
from material.plugins.search.plugin import SearchPlugin
from mkdocs.commands.build import _build_page, _populate_page
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation

from compile_lessons.course.records.progress import Request
from compile_lessons.course.site.embed import lookup
from compile_lessons.course.site.searching import INDEX, write_index
from compile_lessons.ground.files import modified
from compile_lessons.ground.hosts import hosts, is_meant
from compile_lessons.ground.printing import say
from compile_lessons.runs.pool import CAN_FORK

#: Pages that link to each other's docstrings, wherever those turn out to stand: they are rendered together.
_API = "reference/api/"
#: Seconds between two pages that nobody has asked for, in which requests have their turn.
_PAUSE = 0.05
#: Seconds after something went wrong: it may go wrong each time.
_RETRY = 1.0
#: Seconds after which a page that says how many snippets are done is rendered anew for a reader.
_FRESH = 1.0
_NEWS = "news.json"


@dataclass(frozen=True)
class Rendered:
    """When a page was rendered (in nanoseconds), the files that it was made of, the snippets whose records it lacks,
    with their keys, and the snippets that ran then."""

    began: int
    files: frozenset[Path]
    lacking: dict[str, str]
    running: frozenset[str]

    def is_old(self) -> bool:
        return self.has_news() or any(modified(path) > self.began for path in self.files)

    def counts(self) -> bool:
        """Whether the page says how many snippets are done, and has said so for a while."""
        return bool(self.lacking) and time.time_ns() - self.began > _FRESH * 1e9

    def has_news(self) -> bool:
        """Whether a record that the page lacks is there now, is being made now, or can't come any more."""
        run, store = lookup().run, lookup().store
        return not self.lacking.keys().isdisjoint(run.running() - self.running) or any(
            modified(store.path(key)) > self.began or run.failure(key) for key in self.lacking.values()
        )


class OnDemand:
    """The pages of one server. A page is named by its path below the site."""

    def __init__(self) -> None:
        self.lock = threading.RLock()  # who builds or renders holds it
        self.held_back: dict[File, InclusionLevel] = {}
        self.documents: dict[Path, int] = {}  # what MkDocs has taken in, with times
        self.pages: dict[str, File] = {}
        self.waiting: list[str] = []  # pages to render
        self.rendered: dict[str, Rendered] = {}
        self.search_is_old = False

    def hold_back(self, files: Files) -> None:
        """Have MkDocs skip every page in this build."""
        self.held_back = {file: file.inclusion for file in files.documentation_pages()}
        for file in self.held_back:
            file.inclusion = InclusionLevel.EXCLUDED

    def take_in(self, config: MkDocsConfig, files: Files, nav: Navigation, env: jinja2.Environment) -> None:
        """Have the pages that have changed rendered, now that the build has succeeded."""
        self.config, self.files, self.nav, self.env = config, files, nav, env
        for file, inclusion in self.held_back.items():
            file.inclusion = inclusion
        self.documents, before = _documents(config), self.pages
        every = [*(page.file for page in nav.pages), *files.documentation_pages()]  # the menu's first, in its order
        self.pages = {Path(file.dest_path).as_posix(): file for file in every}
        for path in before.keys() - self.pages.keys():  # a deleted page
            Path(config.site_dir, path).unlink(missing_ok=True)
        gone = [path for path in self.rendered if not Path(config.site_dir, path).exists()]  # without --dirty, all
        self.rendered = {path: page for path, page in self.rendered.items() if path not in gone}
        self._find_old_pages()

    def start(self, server: LiveReloadServer) -> None:
        """Render pages between the server and the files that it answers with."""
        build, answer = server.builder, server.get_app()
        assert answer is not None

        def build_or_look() -> None:
            with self.lock:
                if self.documents == _documents(self.config):
                    self._find_old_pages()
                else:
                    build()

        def render_and_answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
            path = environ["PATH_INFO"].removeprefix(server.mount_path)
            if path == _NEWS:
                start_response("200 OK", [("Content-Type", "application/json")])
                return [self._news(parse_qs(environ["QUERY_STRING"]).get("page", [""])[0])]
            while path == INDEX and (self.waiting or self.search_is_old):
                time.sleep(_PAUSE)
            self._render_for_reader(_file_of(path))
            return answer(environ, start_response)

        server.builder = build_or_look
        server.set_app(render_and_answer)
        threading.Thread(target=self._work, daemon=True).start()

    def stop(self) -> None:
        """Render nothing any more: MkDocs deletes the site."""
        self.lock.acquire()

    def _news(self, path: str) -> bytes:
        """Tell a page that waits for records whether it can show more, and how many snippets are done.

        It may have been rendered again since the browser got it, and lack nothing now.
        """
        page, run = self.rendered.get(_file_of(path)), lookup().run
        news = page is None or not page.lacking or page.has_news()
        return json.dumps({"news": news, "progress": str(run.progress) if run.is_busy() else None}).encode()

    def _find_old_pages(self) -> None:
        new = [path for path in self.pages if path not in self.rendered]
        old = [path for path in self.pages if path in self.rendered and self.rendered[path].is_old()]
        self.waiting = old + new

    def _render_for_reader(self, path: str) -> None:
        """Render a page if it has changed, or lacks records; its own snippets run next."""
        with self.lock:
            page = self.rendered.get(path)
            if path in self.waiting or (page and (page.has_news() or page.counts())):
                self._render(path)
            if path in self.rendered and self.rendered[path].lacking:
                lookup().run.send(Request(self.rendered[path].lacking, first=True))

    def _render(self, path: str) -> None:
        """Render a page. What goes wrong stands in its place and in the terminal."""
        paths = [path for path in self.pages if path.startswith(_API)] if path.startswith(_API) else [path]
        group = [self.pages[path] for path in paths]
        self.waiting = [path for path in self.waiting if path not in paths]
        self.search_is_old = True
        answers, began, running = lookup(), time.time_ns(), lookup().run.running()
        answers.files.clear()
        answers.pending.clear()
        try:
            self._build_pages(group)
        except Exception:
            text = traceback.format_exc()
            say(text, error=True)
            Path(group[0].abs_dest_path).write_text(f"<pre>{html.escape(text)}</pre>", encoding="utf-8")
        for path, file in zip(paths, group, strict=True):
            files = frozenset({Path(str(file.abs_src_path)), *answers.files})
            self.rendered[path] = Rendered(began, files, dict(answers.pending), running)

    def _build_pages(self, group: list[File]) -> None:
        """Build pages as MkDocs builds all, with the events that it has for plugins."""
        entries = search_of(self.config).search_index.entries
        for file in group:
            assert file.page
            _populate_page(file.page, self.config, self.files)
        self.config.plugins.on_env(self.env, config=self.config, files=Files(group))  # links between docstrings
        for file in group:
            assert file.page
            entries[:] = [entry for entry in entries if entry["location"].partition("#")[0] != file.page.url]
            _build_page(file.page, self.config, self.files.documentation_pages(), self.nav, self.env)
            file.page.content = None

    def _work(self) -> None:
        """Work until the server ends. What goes wrong stands in the terminal, and the search goes on."""
        while True:
            time.sleep(_PAUSE)
            try:
                self._work_once()
            except Exception:
                say(traceback.format_exc(), error=True)
                time.sleep(_RETRY)

    def _work_once(self) -> None:
        """Render a page that waits, or after a run those that lacked a record; have torch loaded for the next edit."""
        with self.lock:
            if self.waiting:
                self._render(self.waiting[0])
            elif self.search_is_old:
                self._write_search_index()
            elif not lookup().run.is_busy() and any(page.has_news() for page in self.rendered.values()):
                self._find_old_pages()
            elif CAN_FORK and lookup().run.process is None:
                lookup().run.start()

    def _write_search_index(self) -> None:
        """Write the entries of all pages: the plugin itself expects that a build renders one page."""
        search = search_of(self.config)
        search.search_index_prev = None
        try:
            search.on_post_build(config=self.config)
            write_index(Path(self.config.site_dir))
        finally:
            self.search_is_old = False  # a reader waits for it


def refuse_other_hosts(server: LiveReloadServer, address: str) -> None:
    """Have a server at ``address`` answer only what is meant for it: see ``is_meant``."""
    answer = server.get_app()
    assert answer is not None

    def answer_or_refuse(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        host = environ.get("HTTP_HOST", "")
        if not host or is_meant(host, address):  # every browser sends one
            return answer(environ, start_response)
        start_response("403 Forbidden", [("Content-Type", "text/plain; charset=utf-8")])
        names = ", ".join(hosts(address))
        return [f"This server answers at {names}, not at {host}. Fix: name another address with -a\n".encode()]

    server.set_app(answer_or_refuse)


def _file_of(path: str) -> str:
    """Return the file of a page's address."""
    return f"{path}index.html" if path.endswith("/") or not path else path


def search_of(config: MkDocsConfig) -> Any:
    """Return the theme's plugin for the search, which gathers the entries of each page.

    Nothing documents its ``search_index.entries`` and ``search_index_prev``; ``test_serving.py`` names them.
    """
    return next(plugin for plugin in config.plugins.values() if isinstance(plugin, SearchPlugin))


def _documents(config: MkDocsConfig) -> dict[Path, int]:
    """Return the times of the files that MkDocs itself reads: pages, the theme, its settings."""
    files = [Path(config.config_file_path), *Path(config.docs_dir).rglob("*")]
    return {path: modified(path) for path in files if path.is_file()}
