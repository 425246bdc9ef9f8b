"""The fonts of the pages: small, with all weights and characters that pages have, and with their licenses."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from compile_lessons.site.fonts import FONTS, WEIGHTS, woff2


@pytest.mark.parametrize("name", FONTS)
def test_a_part_of_a_font_is_for_pages(name: str, tmp_path: Path) -> None:
    part = woff2(FONTS[name], tmp_path)
    font = TTFont(io.BytesIO(part))
    assert len(part) < 32 * 1024 and font.flavor == "woff2"
    [weight] = font["fvar"].axes
    assert (weight.axisTag, weight.minValue, weight.maxValue) == ("wght", *WEIGHTS)
    assert set(map(ord, "aZ09é×µ→…_{}")) <= font.getBestCmap().keys()
    assert "Open Font License" in font["name"].getDebugName(13)


def test_letters_of_code_keep_their_places(tmp_path: Path) -> None:
    mono = TTFont(io.BytesIO(woff2(FONTS["jetbrains-mono.woff2"], tmp_path)))
    assert {mono["hmtx"].metrics[glyph][0] for glyph in mono.getBestCmap().values()} == {600}
    assert "GSUB" not in mono or not mono["GSUB"].table.FeatureList.FeatureRecord  # "->" stays two characters


def test_a_part_is_made_once(tmp_path: Path) -> None:
    font = FONTS["jetbrains-mono.woff2"]
    woff2(font, tmp_path)
    [kept] = tmp_path.iterdir()
    kept.write_bytes(b"kept")
    assert woff2(font, tmp_path) == b"kept"
