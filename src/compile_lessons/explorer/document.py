"""An HTML file that asks nobody for anything.

Its content security policy allows its own script and style, by their hashes, and nothing else.
"""

import base64
import hashlib
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any


def document(title: str, style: str, body: str, script: str = "", framed: tuple[str, str] | None = None) -> str:
    """Return the file. ``title`` is text, ``body`` is HTML; without a script the policy allows none.

    ``framed`` are the style and the script of documents in its frames (``srcdoc``), which its policy holds for too.
    Fonts may only be those in the style.
    """
    scripts = [text for text in (script, framed[1] if framed else "") if text]
    allowed = f"script-src {' '.join(map(_hash, scripts))}; " if scripts else ""
    styles = " ".join(map(_hash, [style, *([framed[0]] if framed else [])]))
    policy = f"default-src 'none'; {allowed}style-src {styles}; font-src data:; base-uri 'none'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}; form-action \'none\'">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{escape(title)}</title>\n<style>{style}</style>\n'
        f"</head>\n<body>\n{body}\n{f'<script>{script}</script>' if script else ''}\n</body>\n</html>\n"
    )


def filled(template: str, **values: Any) -> str:
    """Return the HTML of a Jinja template, given as text. Values are escaped; one that it lacks raises."""
    return _compiled(template).render(values)


@cache
def _compiled(template: str) -> Any:
    """Return the Jinja template, which takes a quarter of a page's time to compile."""
    from jinja2 import Environment, StrictUndefined  # here, as importing the package is light

    templates = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    return templates.from_string(template)


@cache
def asset(name: str) -> str:
    """Return the text of a file of this folder, ``base.css``, or of one below it."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


@cache
def fonts() -> str:
    """Return the rules of the site's two fonts with the fonts in them, 60 KB, for files without the site."""
    folder = Path(__file__).with_name("fonts")

    def with_data(source: re.Match[str]) -> str:
        data = base64.b64encode((folder / source[1]).read_bytes()).decode()
        return f'url("data:font/woff2;base64,{data}")'

    rules = re.sub(r"font-display: \w+", "font-display: block", asset("fonts/fonts.css"))  # they never come late
    return re.sub(r'url\("([\w-]+\.woff2)"\)', with_data, rules)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
