"""The fonts of the pages: small, with their licenses, and with every character that a page has."""

import html
import re
from pathlib import Path

import pytest

FONTS = Path(__file__).parents[3] / "src" / "compile_lessons" / "explorer" / "fonts"
NO_TEXT = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.S)
NAMES = ("inter.woff2", "jetbrains-mono.woff2")


@pytest.mark.parametrize("name", NAMES)
def test_a_font_is_small_and_has_its_license(name: str) -> None:
    content = (FONTS / name).read_bytes()
    assert content[:4] == b"wOF2" and len(content) < 32 * 1024
    license = (FONTS / "OFL.txt").read_text(encoding="utf-8")
    assert f"{name}: Copyright 2020 The " in license and "SIL OPEN FONT LICENSE Version 1.1" in license


def test_the_fonts_have_every_character_of_the_pages(site: Path) -> None:
    """What none has, such as an emoji, would be taken from a font that may be large, odd or not there."""
    known = set(map(ord, "\n\r\t"))
    for first, last in re.findall(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?[,;]", (FONTS / "fonts.css").read_text()):
        known |= set(range(int(first, 16), int(last or first, 16) + 1))
    unknown = {}
    # An explorer, which ends with ".htm", is a document of its own, in the fonts of the reader's system.
    for page in site.rglob("*.html"):
        text = html.unescape(NO_TEXT.sub("", page.read_text(encoding="utf-8")))
        if missing := {character for character in text if ord(character) not in known}:
            unknown[str(page.relative_to(site))] = sorted(missing)
    assert unknown == {}
