"""The site's search behind the theme's field: its index in two files, and its worker.

The theme's plugin writes one index with the whole text of every page, of which the theme's worker makes a tree of words
on each page that is opened. Here a reader's browser gets headings, keywords, first sentences and names when the search
is opened, and the other words with the first question that needs them. ``search.js`` is the worker.
"""

import hashlib
import html
import json
import re
import shutil
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError

INDEX = "search/search_index.json"
#: Where the worker of the searches lies, seen from which the other words have an address.
_FROM_WORKER = "../../../search/"
#: Has a page that is read from a file run the worker: browsers start none from files.
FILE_WORKER = "assets/javascripts/workers/iframe-worker.js"
#: Parts of the theme's script, which loads the index with each page from a server, and what replaces them.
_LOADS = {
    # the index when the search is opened, as a page that is read from a file does
    'location.protocol!=="file:"': 'location.protocol==="never:"',
    # and to mark words on a page where there are words to mark
    '"search.highlight")?': '"search.highlight")&&/[?&]h=/.test(location.search)?',
}
#: Letters of a section's text that stand in the results.
_SHOWN = 200
_PRE = re.compile(r"<pre>.*?</pre>", re.DOTALL)
_SENTENCES = re.compile(r"<(p|li)>(.*?)</\1>", re.DOTALL)
_WORD = re.compile(r"\w{2,}")


def replace_search(site: Path) -> None:
    """Put this package's worker in place of the theme's. Raises ``PluginError`` where this theme has other scripts."""
    here = Path(__file__).parent
    libraries = [here / "vendor" / "minisearch.min.js", here / "vendor" / "stemmer.min.js"]
    scripts = [script.read_text(encoding="utf-8") for script in (*libraries, here / "search.js")]
    [worker] = site.glob("assets/javascripts/workers/search.*.min.js")
    worker.write_text("var module = {};\n" + "\n".join(scripts), encoding="utf-8")
    shutil.copyfile(here / "vendor" / "iframe-worker.js", site / FILE_WORKER)
    [bundle] = site.glob("assets/javascripts/bundle.*.min.js")
    script = bundle.read_text(encoding="utf-8")
    for part, replacement in _LOADS.items():
        if replacement in script:  # a server builds again
            continue
        if script.count(part) != 1:
            raise PluginError(f"{bundle.name} has no {part!r}: when does this theme load the search's index?")
        script = script.replace(part, replacement)
    bundle.write_text(script, encoding="utf-8")


def write_index(site: Path, reads_files: bool = False) -> None:
    """Split the theme's index of a site. ``reads_files``: the site is read without a server, and has one file."""
    path = site / INDEX
    index = json.loads(path.read_bytes())
    entries = index["docs"]
    rest = [_rest_of(entry) for entry in entries]
    index["docs"] = [_first_of(entry) for entry in entries]
    index["config"]["rest"] = rest if reads_files else _FROM_WORKER + _write_rest(path.parent, rest)
    path.write_text(_json(index), encoding="utf-8")


def _write_rest(folder: Path, rest: list[str]) -> str:
    """Write the other words. The name says what is in the file, so that a browser may keep it for good."""
    text = _json(rest)
    name = f"rest.{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
    for old in folder.glob("rest.*.json"):
        old.unlink()
    (folder / name).write_text(text, encoding="utf-8")
    return name


def _first_of(entry: dict[str, Any]) -> dict[str, Any]:
    text = _sentences(entry["text"])
    if len(text) > _SHOWN:
        text = text[:_SHOWN].rsplit(" ", 1)[0] + " …"
    first = {"location": entry["location"], "title": _plain(entry["title"]), "text": text}
    known = {word.lower() for word in _WORD.findall(first["title"] + first["text"])}
    if names := sorted(name for name in _names(entry["text"]) if name.lower() not in known):
        first["names"] = " ".join(names)
    if "#" not in entry["location"]:
        first |= {key: entry[key] for key in ("tags", "boost") if entry.get(key)}
    return first


def _rest_of(entry: dict[str, Any]) -> str:
    """Return the words of a section that its first entry does not have, each once, in their order."""
    first = _first_of(entry)
    known = {word.lower() for word in _WORD.findall(" ".join((first["title"], first["text"], first.get("names", ""))))}
    words = dict.fromkeys(word.lower() for word in _WORD.findall(_plain(entry["text"])))
    return " ".join(word for word in words if word not in known)


def _names(text: str) -> set[str]:
    """Return the names of a program in a section: ``mark_dynamic``, ``FakeTensor``."""
    return {
        name
        for name in _WORD.findall(_plain(text))
        if "_" in name.strip("_") or re.search("[a-z][A-Z]|^[A-Z]+[0-9]+$", name)
    }


def _sentences(text: str) -> str:
    """Return the paragraphs and lists of a section; if it has none, its tables."""
    prose = _PRE.sub(" ", text)
    parts = [part for _, part in _SENTENCES.findall(prose)]
    return " ".join(_plain(" ".join(parts) or prose).split())


def _plain(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", text.replace("</p>", " ")))


def _json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)
