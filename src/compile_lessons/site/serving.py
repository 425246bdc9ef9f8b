"""``mkdocs serve --dirty``: a page is rendered when a reader asks for it, and the others meanwhile, one by one.

MkDocs renders every page before it serves the first one, and answers no request while it builds. Here its builds take
in what has changed and render nothing.
"""

from __future__ import annotations

import contextlib
import html
import sys
import threading
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from material.plugins.search.plugin import SearchPlugin
from mkdocs.commands.build import _build_page, _populate_page
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation

from compile_lessons.records.plan import plan
from compile_lessons.records.snippet import SnippetError
from compile_lessons.site.embed import lookup
from compile_lessons.site.pages import Use, read_page

#: Pages that link to each other's docstrings, wherever those turn out to stand: they are rendered together.
_API = "reference/api/"
#: Seconds between two pages that nobody has asked for, in which requests have their turn.
_PAUSE = 0.05
_INDEX = "search/search_index.json"


@dataclass(frozen=True)
class Build:
    """What MkDocs needs to render a page, as it was when it last took in what has changed."""

    config: MkDocsConfig
    files: Files
    nav: Navigation
    env: jinja2.Environment


class OnDemand:
    """The pages of one server."""

    def __init__(self) -> None:
        self.lock = threading.RLock()  # who builds or renders holds it
        self.changed: dict[str, File] = {}  # by the path below the site, as are the others
        self.waiting: dict[str, File] = {}
        self.rendered: dict[str, list[Any]] = {}  # what each rendered page was made of
        self.search_is_old = False

    def hold_back(self, files: Files) -> None:
        """Have MkDocs skip every page, and find those that have changed since they were rendered."""
        self.changed = {}
        for file in files.documentation_pages():
            page = Path(file.abs_dest_path)
            page.parent.mkdir(parents=True, exist_ok=True)
            page.touch()  # newer than its Markdown
            if file.dest_uri not in self.rendered or self.rendered[file.dest_uri] != _made_of(file):
                self.changed[file.dest_uri] = file

    def take_in(self, build: Build) -> None:
        """Have the pages that have changed rendered, now that the build has succeeded."""
        self.build, self.waiting = build, self.changed
        if self.rendered:
            edited = [file for path, file in self.waiting.items() if path in self.rendered]
            lookup().edited = [f"docs/{file.src_uri}" for file in edited]

    def start(self, server: LiveReloadServer) -> None:
        """Render pages between the server and the files that it answers with."""
        build, answer = server.builder, server.get_app()
        assert answer is not None

        def locked_build() -> None:
            with self.lock:
                build()

        def render_and_answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
            path = environ["PATH_INFO"].removeprefix(server.mount_path)
            if path == _INDEX:
                self._wait_for_all()
            self.render(f"{path}index.html" if path.endswith("/") or not path else path)
            return answer(environ, start_response)

        server.builder = locked_build
        server.set_app(render_and_answer)
        threading.Thread(target=self._render_the_others, daemon=True).start()

    def render(self, path: str) -> None:
        """Render a page if it has changed. What goes wrong stands in its place and in the terminal."""
        with self.lock:
            if path not in self.waiting:
                return
            api = [path for path in self.waiting if path.startswith(_API)]
            group = [self.waiting.pop(path) for path in (api if path in api else [path])]
            self.search_is_old = True
            self.rendered.update({file.dest_uri: _made_of(file) for file in group})
            try:
                self._render(group)
            except Exception:
                text = traceback.format_exc()
                print(text, file=sys.stderr)
                Path(group[0].abs_dest_path).write_text(f"<pre>{html.escape(text)}</pre>", encoding="utf-8")

    def _render(self, group: list[File]) -> None:
        config, files, env = self.build.config, self.build.files, self.build.env
        entries = _search(config).search_index.entries
        for file in group:
            assert file.page
            _populate_page(file.page, config, files)
        config.plugins.on_env(env, config=config, files=Files(group))  # links between docstrings
        for file in group:
            assert file.page
            entries[:] = [entry for entry in entries if entry["location"].partition("#")[0] != file.page.url]
            _build_page(file.page, config, files.documentation_pages(), self.build.nav, env)
            file.page.content = None

    def _render_the_others(self) -> None:
        while True:
            time.sleep(_PAUSE)
            with self.lock:
                for path in list(self.waiting)[:1]:
                    self.render(path)
                if self.search_is_old and not self.waiting:
                    self._write_search_index()

    def _write_search_index(self) -> None:
        """Write the entries of all pages: the plugin itself expects that a build renders one page."""
        search = _search(self.build.config)
        search.search_index_prev = None
        search.on_post_build(config=self.build.config)
        self.search_is_old = False

    def _wait_for_all(self) -> None:
        while self.waiting or self.search_is_old:
            time.sleep(_PAUSE)


def _search(config: MkDocsConfig) -> Any:
    """Return the theme's plugin for the search, which gathers the entries of each page."""
    return next(plugin for plugin in config.plugins.values() if isinstance(plugin, SearchPlugin))


def _made_of(file: File) -> list[Any]:
    """Return when a page was edited, and the keys of the records that it shows."""
    path, project = Path(str(file.abs_src_path)), lookup().project
    uses = read_page(path.read_text(encoding="utf-8"), file.src_uri)
    made_of: list[Any] = [path.stat().st_mtime_ns]
    for name in {use.name: None for use in uses if isinstance(use, Use)}:
        with contextlib.suppress(SnippetError):  # the page says so
            made_of.append(plan(project, name).key)
    return made_of
