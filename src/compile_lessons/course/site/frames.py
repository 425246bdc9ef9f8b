"""Explorers on pages: a frame each, which MkDocs has as a file of its own that a browser loads when it comes in sight.

The HTML of an embed holds the explorer's document itself, as Zensical, which has no plugins of others, shows it. The
plugin of MkDocs moves it into a file below ``explorers/``, so that a page stays small, and links to that file.
"""

import html
import re
from pathlib import Path

from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url, write_file

from compile_lessons.ground.site import SITE

#: Below the site.
FOLDER = "explorers"
FONTS = "assets/fonts/fonts.css"
#: ``mkdocs serve`` writes a script into each file that ends with ".html", which the policy of these files refuses.
_ENDING = ".htm"
_FRAME = re.compile(r'data-explorer="(?P<name>[\w/-]+)" srcdoc="(?P<document>[^"]*)"></iframe>')
# 'href="https://…/dynamo/guards/#causes"'
_LESSON = re.compile(rf'href="{re.escape(SITE)}(?P<lesson>[\w/-]+)/(?P<part>#[\w-]+)?"')


def moved_out(page_html: str, page: Page, files: Files, site: Path) -> str:
    """Write the document of each frame into a file below ``site``, and return the page with its address instead."""

    def moved(match: re.Match[str]) -> str:
        path = f"{FOLDER}/{match['name']}{_ENDING}"
        document = _LESSON.sub(lambda link: _relative(link, path, files), html.unescape(match["document"]))
        if page.url.endswith("/") or not page.url:  # a page that is read from a file may load no font
            document = _with_fonts(document, get_relative_url(FONTS, path))
        write_file(document.encode(), str(site / path))
        address = get_relative_url(path, page.url)
        link = (
            f'<a class="snippet-explorer-alone" href="{address}" data-search-exclude>Open it on a page of its own</a>'
        )
        return f'src="{address}"></iframe>{link}'

    return _FRAME.sub(moved, page_html)


def _with_fonts(document: str, fonts: str) -> str:
    """Return the document with the site's fonts, and a policy that lets it load them."""
    allowed = document.replace("font-src data:", "font-src 'self'", 1)
    return allowed.replace("style-src ", "style-src 'self' ", 1).replace(
        "<style>", f'<link rel="stylesheet" href="{fonts}"><style>', 1
    )


def _relative(link: re.Match[str], path: str, files: Files) -> str:
    """Return the link to a lesson as one that also works in a site that is read from files."""
    lesson = files.get_file_from_path(f"{link['lesson']}.md")
    return link[0] if lesson is None else f'href="{get_relative_url(lesson.url, path)}{link["part"] or ""}"'
