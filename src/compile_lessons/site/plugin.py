"""The plugin of MkDocs that writes what is beside the pages: their Markdown twins and ``llms.txt``.

Zensical has no plugins of others: a site that it builds lacks these files, and its pages don't link to them.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from mkdocs.config.base import Config
from mkdocs.config.config_options import Type
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

from compile_lessons.records.plan import plan
from compile_lessons.records.snippet import SnippetError
from compile_lessons.site import notebooks
from compile_lessons.site.embed import lookup
from compile_lessons.site.pages import read_pages
from compile_lessons.site.twins import address, description, twin


class Settings(Config):
    """``cards``: also draw a picture of each page, which other sites show beside a link to it."""

    cards = Type(bool, default=False)


class Beside(BasePlugin[Settings]):
    """Collects the twin of each page while it is built. A server and a build to be read offline get none."""

    def __init__(self) -> None:
        self.serving = False
        self.dirty = False
        self.keys: dict[str, list[str]] = {}
        self.twins: dict[str, str] = {}
        self.pages: list[Page] = []

    def on_startup(self, *, command: str, dirty: bool) -> None:
        self.serving, self.dirty = command == "serve", dirty

    def on_config(self, config: MkDocsConfig) -> None:
        # The theme's templates ask for it.
        config.extra["twins"] = not self.serving and config.use_directory_urls
        config.extra["cards"] = self.config.cards and config.extra["twins"]
        if not config.use_directory_urls:
            config.extra["polyfills"] = []  # the plugin "offline" names a script on another host, for the search

    def on_files(self, files: Files, *, config: MkDocsConfig) -> None:
        """Under ``mkdocs serve --dirty``, which renders only pages that were edited, also render those whose snippets
        were. Add the notebooks that mkdocs-jupyter renders."""
        notebooks.add_copies(files, config)
        if not (self.serving and self.dirty):
            return
        keys = _keys_by_page()
        for file in files.documentation_pages():
            if keys.get(file.src_uri) != self.keys.get(file.src_uri):
                Path(file.abs_dest_path).unlink(missing_ok=True)
        self.keys = keys

    def on_page_markdown(self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        if notebooks.is_rendered(page.file):
            notebooks.prepare(page, files)
            return markdown  # its JSON, which mkdocs-jupyter doesn't look at
        if config.extra["twins"]:
            text = self.twins[page.file.src_uri] = twin(markdown, page.file.src_uri, lookup())
            page.meta.setdefault("description", description(text))
        return notebooks.link_to_pages(markdown)

    def on_page_content(self, html: str, *, page: Page, files: Files, **others: Any) -> str:
        return notebooks.with_own_looks(html, page.file, files) if notebooks.is_rendered(page.file) else html

    def on_nav(self, nav: Navigation, **others: Any) -> None:
        self.pages = nav.pages

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        site = Path(config.site_dir)
        for source, text in self.twins.items():
            path = site / address(source)
            path.write_text(text, encoding="utf-8")
        if self.twins:
            (site / "llms.txt").write_text(self._index(config), encoding="utf-8")
        if config.extra["cards"]:
            self._draw_cards(config, site)

    def _draw_cards(self, config: MkDocsConfig, site: Path) -> None:
        from compile_lessons.site.cards import card  # imports matplotlib

        for page in self.pages:
            about = "" if page.is_homepage else page.meta["description"]
            path = site / "assets" / "cards" / address(page.file.src_uri).replace("index.md", "card.png")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(card(config.site_name, _sections(page), page.title, about))

    def _index(self, config: MkDocsConfig) -> str:
        """Return ``llms.txt`` (https://llmstxt.org): every page of the navigation, under its section, with a line."""
        lines = [f"# {config.site_name}", "", f"> {config.site_description}"]
        heading = ""
        for page in self.pages:
            if _sections(page) != heading:
                heading = _sections(page)
                lines += ["", f"## {heading}", ""]
            where = f"{config.site_url or '/'}{address(page.file.src_uri)}"
            lines.append(f"- [{page.title}]({where}): {page.meta['description']}")
        return "\n".join(lines) + "\n"


def _keys_by_page() -> dict[str, list[str]]:
    """Return the keys of the records that each page shows, by its path below ``docs/``."""
    project = lookup().project
    keys: dict[str, list[str]] = {}
    for use in read_pages(project)[0]:
        with contextlib.suppress(SnippetError):  # the page says so
            keys.setdefault(use.page.removeprefix("docs/"), []).append(plan(project, use.name).key)
    return keys


def _sections(page: Page) -> str:
    """Return the titles of the sections that a page is in, the outermost first: ``Learn: Start``."""
    titles = [section.title for section in page.ancestors if isinstance(section, Section)]
    return ": ".join(reversed(titles))
