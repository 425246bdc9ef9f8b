"""Old addresses: a small page at each, which leads to where a page, or a section of it, is now.

The settings of the plugin name them: ``dynamo/old.md: dynamo/new.md``, and for a section ``dynamo/old.md#causes``. In
such a name, ``*`` at the end stands for any letters. A section that is not named keeps its name on the new page. The
first fix of a section, ``#fix-causes``, leads to where the section is.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.utils import get_relative_url

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>This page has moved</title>
<meta name="robots" content="noindex">
<link rel="canonical" href="{address}">
<script>
const name = decodeURIComponent(location.hash.slice(1)).replace(/^fix-/, "");
const matches = (old) => (old.endsWith("*") ? name.startsWith(old.slice(0, -1)) : name === old);
const found = {sections}.find(([old]) => matches(old));
location.replace(found ? found[1].replace("*", name) : "{address}" + location.hash);
</script>
<noscript><meta http-equiv="refresh" content="0; url={address}"></noscript>
<p>This page has moved to <a href="{address}">its new address</a>.</p>
"""


def pages_at_old_addresses(moved: Mapping[str, str], files: Files, use_directory_urls: bool) -> dict[str, str]:
    """Return the text of a page for each old address, by its path below the site.

    Raises ``PluginError`` if a new page doesn't exist, if an old one still does, or if only sections of it have moved.
    """
    sections: dict[str, list[tuple[str, str]]] = defaultdict(list)
    pages: dict[str, str] = {}
    for old, new in moved.items():
        page, sign, name = old.partition("#")
        if not files.get_file_from_path(new.partition("#")[0]):
            raise PluginError(f"moved: {old} leads to {new}, which is no page")
        if files.get_file_from_path(page):
            raise PluginError(f"moved: {page} is still a page")
        if sign:
            sections[page].append((name, new))
        else:
            pages[page] = new
    if lost := sections.keys() - pages.keys():
        raise PluginError(f"moved: sections of {', '.join(sorted(lost))} have new addresses, but not the page")

    def address(new: str, place: File) -> str:
        page, sign, name = new.partition("#")
        return get_relative_url(files.src_uris[page].url, place.url) + sign + name

    written = {}
    for old, new in pages.items():
        place = File(old, "", "", use_directory_urls)
        moves = [(name, address(target, place)) for name, target in sections[old]]
        written[place.dest_uri] = _PAGE.format(address=address(new, place), sections=json.dumps(moves))
    return written
