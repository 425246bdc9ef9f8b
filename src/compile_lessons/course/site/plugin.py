"""The plugin of MkDocs for what is beside the pages: Markdown twins, ``llms.txt``, a feed and the labs' notebooks.

Zensical has no plugins of others: a site that it builds lacks these files, and its pages don't link to them. No library
makes them for both: mkdocs-llmstxt and mkdocs-rss-plugin are plugins too, and that feed is Git's log, not a changelog.
"""

import json
import logging
import signal
import socket
from pathlib import Path
from typing import Any

from jinja2 import Environment
from mkdocs.config.base import Config
from mkdocs.config.config_options import Type
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.structure.pages import Page

from compile_lessons.course.site import frames, news, notebooks
from compile_lessons.course.site.embed import lookup
from compile_lessons.course.site.messages import NAME as MESSAGES
from compile_lessons.course.site.messages import at_its_fix, fixes_in, listings_of, messages_of, with_fixes
from compile_lessons.course.site.searching import FILE_WORKER, replace_search, write_index
from compile_lessons.course.site.serving import OnDemand, refuse_other_hosts
from compile_lessons.course.site.twins import description, twin, twin_address


class PluginOptions(Config):
    """``cards``: also draw a picture of each page, which other sites show beside a link to it.

    ``boosts``: the weight in searches of the pages whose paths begin like this, ``{"labs/": 0.5}``; the first counts.
    """

    cards = Type(bool, default=False)
    boosts = Type(dict, default={})


class SitePlugin(BasePlugin[PluginOptions]):
    """Collects the twin of each page while it is built. A server and a build to be read offline get none."""

    def __init__(self) -> None:
        self.serving = False
        self.reads_files = False  # a site that is read without a server
        self.on_demand: OnDemand | None = None
        self.twins: dict[str, str] = {}
        self.messages: dict[str, list[tuple[str, ...]]] = {}
        self.fixes: dict[str, set[str]] = {}
        self.pages: list[Page] = []

    def on_startup(self, *, command: str, dirty: bool) -> None:
        self.serving = command == "serve"
        if self.serving:
            self.on_demand = OnDemand()
            # MkDocs warns that "dirty" builds leave out pages, which are rendered on demand here.
            logging.getLogger("mkdocs.commands.build").addFilter(lambda log: "'dirty' build" not in log.getMessage())
            logging.getLogger("mkdocs.livereload").addFilter(lambda log: "Browser connected" not in log.getMessage())
            # A script that starts a server with "&" has it ignore Ctrl-C, and so would the runs that it starts.
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.default_int_handler)
            logging.getLogger("mkdocs.mkdocs-jupyter").setLevel(logging.WARNING)  # it names each notebook
            logging.getLogger("mkdocs.plugins.mkdocs_jupyter").setLevel(logging.WARNING)

    def on_config(self, config: MkDocsConfig) -> None:
        if self.serving and not self.pages:  # before the first build
            _check_port(*config.dev_addr)
        # The theme's templates ask for it.
        config.extra["twins"] = not self.serving and config.use_directory_urls
        config.extra["cards"] = self.config.cards and config.extra["twins"]
        self.reads_files = not config.use_directory_urls
        if self.reads_files:
            config.extra["polyfills"] = [FILE_WORKER]  # the plugin "offline" names the same script on another host

    def on_files(self, files: Files, *, config: MkDocsConfig) -> None:
        notebooks.add_copies(files, config)
        # The theme's templates ask for it, too.
        config.extra["feed"] = bool(config.extra["twins"] and config.site_url and files.get_file_from_path(news.PAGE))

    def on_page_markdown(self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        if notebooks.is_rendered(page.file):
            notebooks.prepare(page, files)
            return markdown  # its JSON, which mkdocs-jupyter doesn't look at
        for path, boost in self.config.boosts.items():
            if page.file.src_uri.startswith(path):
                page.meta.setdefault("search", {}).setdefault("boost", boost)
        if page.file.src_uri == news.PAGE:
            if config.extra["feed"]:
                address = f"{config.site_url}{news.FEED}"
                markdown += (
                    f"\n\nTo hear of each release, add this address to your feed reader: [{address}]({address}).\n"
                )
            markdown += news.as_markdown(_releases())
        if config.extra["twins"]:
            text = self.twins[page.file.src_uri] = twin(markdown, page.file.src_uri, lookup())
            page.meta.setdefault("description", description(text))
        return notebooks.link_to_pages(markdown)

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        # "10 minutes · needs a C++ compiler" is no text to find a lesson by.
        html = html.replace('<p class="lesson-facts"', '<p data-search-exclude class="lesson-facts"', 1)
        # Nor is a list of links to other lessons, which has their names.
        html = html.replace('<h2 id="where-to-go-next"', '<h2 data-search-exclude id="where-to-go-next"', 1)
        html = with_fixes(frames.moved_out(html, page, files, Path(config.site_dir)))
        return notebooks.with_own_looks(html, page.file, files) if notebooks.is_rendered(page.file) else html

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        self.fixes[page.file.src_uri] = fixes_in(page.url, output)
        listings = listings_of(page.file.src_uri, page.markdown or "")
        messages = messages_of(page.file.src_uri, page.url, output, self.pages, listings)
        if messages != self.messages.get(page.file.src_uri, []):
            self.messages[page.file.src_uri] = messages
            if self.on_demand:  # it renders pages between builds
                self._write_messages(Path(config.site_dir))
        return output

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        _give_first_places(nav)
        self.nav, self.pages, self.files = nav, nav.pages, files
        if self.on_demand:
            self.on_demand.hold_back(files)
            for page in nav.pages:
                if page.title is None:  # it is in the page, and the menu of others shows it
                    page.read_source(config)

    def on_env(self, env: Environment, **others: Any) -> None:
        self.env = env

    def on_serve(self, server: LiveReloadServer, *, config: MkDocsConfig, **others: Any) -> None:
        if self.on_demand:
            self.on_demand.start(server)
        refuse_other_hosts(server, config.dev_addr.host)

    def on_shutdown(self) -> None:
        if self.on_demand:
            self.on_demand.stop()

    @event_priority(-50)  # after the theme's plugin for the search, before the one that makes a script of its index
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        if self.on_demand:
            self.on_demand.take_in(config, self.files, self.nav, self.env)
        site = Path(config.site_dir)
        replace_search(site)
        write_index(site, self.reads_files)
        self._write_messages(site)
        for source, text in self.twins.items():
            path = site / twin_address(source)
            path.write_text(text, encoding="utf-8")
        if self.twins:
            (site / "llms.txt").write_text(self._index(config), encoding="utf-8")
        if config.extra["feed"]:
            (site / news.FEED).write_text(self._feed(config), encoding="utf-8")
        if config.extra["cards"]:
            self._draw_cards(config, site)

    def _write_messages(self, site: Path) -> None:
        fixes = set().union(*self.fixes.values())
        every = [
            (text, at_its_fix(address, fixes), *rest)
            for messages in self.messages.values()
            for text, address, *rest in messages
        ]
        (site / MESSAGES).write_text(json.dumps(every), encoding="utf-8")
        if self.reads_files:
            script = (site / MESSAGES).with_suffix(".js")
            script.write_text(f"var allMessages = {json.dumps(every)};\n", encoding="utf-8")

    def _draw_cards(self, config: MkDocsConfig, site: Path) -> None:
        from compile_lessons.course.site.cards import card  # imports matplotlib

        for page in self.pages:
            about = "" if page.file.src_uri == "index.md" else page.meta["description"]
            path = site / "assets" / "cards" / twin_address(page.file.src_uri).replace("index.md", "card.png")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(card(config.site_name, _sections(page), page.title, about))

    def _feed(self, config: MkDocsConfig) -> str:
        root, about = str(config.site_url), f"What has changed in {config.site_name}."
        page = root + self.files.src_uris[news.PAGE].url
        return news.feed(_releases(), config.site_name, about, page, root + news.FEED)

    def _index(self, config: MkDocsConfig) -> str:
        """Return ``llms.txt`` (https://llmstxt.org): every page of the navigation, under its section, with a line."""
        lines = [f"# {config.site_name}", "", f"> {config.site_description}"]
        heading = ""
        for page in self.pages:
            if _sections(page) != heading:
                heading = _sections(page)
                lines += ["", f"## {heading}", ""]
            where = f"{config.site_url or '/'}{twin_address(page.file.src_uri)}"
            lines.append(f"- [{page.title}]({where}): {page.meta['description']}")
        return "\n".join(lines) + "\n"


def _give_first_places(nav: Navigation) -> None:
    """Let a page that the menu has twice, as a lab of One evening, belong to its first place; the second is a link."""
    sections: dict[str, Section] = {}
    for section in (section for tab in nav.items for section in tab.children or () if isinstance(section, Section)):
        for place, page in enumerate(section.children):
            if isinstance(page, Page) and sections.setdefault(page.file.src_uri, section) is not section:
                section.children[place] = Link(page.title, page.url)
                page.parent = sections[page.file.src_uri]
    nav.pages[:] = {page.file.src_uri: page for page in nav.pages}.values()
    for before, page, after in zip([None, *nav.pages[:-1]], nav.pages, [*nav.pages[1:], None], strict=True):
        page.previous_page, page.next_page = before, after


def _releases() -> list[news.Release]:
    return news.releases((lookup().project.root / "CHANGELOG.md").read_text(encoding="utf-8"))


def _check_port(host: str, port: int) -> None:
    """Raise ``PluginError`` if another server has the port: MkDocs finds out after the build."""
    with socket.socket() as probe:
        if probe.connect_ex((host, port)) == 0:
            raise PluginError(f"port {port} is in use. Fix: end that server, or: make serve PORT={port + 1}")


def _sections(page: Page) -> str:
    """Return the titles of the sections that a page is in, the outermost first: ``Learn: Start``."""
    titles = [section.title for section in page.ancestors if isinstance(section, Section)]
    return ": ".join(reversed(titles))
