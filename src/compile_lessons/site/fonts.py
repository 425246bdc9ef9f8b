"""The fonts of the site, Inter and JetBrains Mono: small parts of them, so that pages ask no other host for fonts."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import as_file, files
from pathlib import Path

from compile_lessons.ground.files import write_atomically

_LATIN, _PUNCTUATION, _RAISED_AND_LOWERED = range(0x20, 0x100), range(0x2010, 0x2028), range(0x2070, 0x20A0)
_ARROWS, _MATHEMATICS, _BOXES, _CHECK_MARK = range(0x2190, 0x2196), range(0x2200, 0x2266), range(0x2500, 0x25A0), 0x2713
CHARACTERS = frozenset(
    [*_LATIN, *_PUNCTUATION, *_RAISED_AND_LOWERED, *_ARROWS, *_MATHEMATICS, *_BOXES, _CHECK_MARK],
)
WEIGHTS = (400, 700)


@dataclass(frozen=True)
class Font:
    """A file of a package on PyPI, the OpenType features that its part keeps (none of which joins letters), and what a
    page does that a font reaches late: it waits for the next page ("optional"), or is set anew ("swap")."""

    family: str
    package: str
    file: str
    features: tuple[str, ...]
    late: str


#: Where they are on the site, and what tells browsers of them.
FOLDER, STYLES = "assets/fonts", "fonts.css"
#: By the name of the file there.
FONTS = {
    "inter.woff2": Font("Inter", "fontpkg-inter", "Inter[opsz,wght].ttf", ("kern", "tnum"), "optional"),
    # As wide as most fonts for code: its lines don't move.
    "jetbrains-mono.woff2": Font("JetBrains Mono", "fontpkg-jetbrains-mono", "JetBrainsMono[wght].ttf", (), "swap"),
}

_FACE = """@font-face {{
  font-family: "{family}";
  font-weight: {lightest} {boldest};
  font-display: {late};
  src: url("{name}") format("woff2");
}}
"""


def site_files(cache: Path) -> dict[str, bytes]:
    """Return what the folder of fonts has: each font, and a style sheet with all of them."""
    lightest, boldest = WEIGHTS
    faces = "".join(
        _FACE.format(family=font.family, name=name, late=font.late, lightest=lightest, boldest=boldest)
        for name, font in FONTS.items()
    )
    return {STYLES: faces.encode(), **{name: woff2(font, cache) for name, font in FONTS.items()}}


def woff2(font: Font, cache: Path) -> bytes:
    """Return the part of a font that has ``CHARACTERS`` in ``WEIGHTS``, for browsers; it is kept in a folder."""
    made_of = repr((version(font.package), font, sorted(CHARACTERS), WEIGHTS))
    kept = cache / f"{hashlib.sha256(made_of.encode()).hexdigest()[:16]}.woff2"
    if not kept.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        write_atomically(kept, _part(font))
    return kept.read_bytes()


def _part(font: Font) -> bytes:
    from fontTools import subset  # half a second
    from fontTools.varLib import instancer

    # The license of both asks for its text in each copy.
    options = subset.Options(layout_features=list(font.features), name_IDs=["*"], hinting=False)
    with as_file(files(font.package.replace("-", "_")) / "files" / font.file) as path:
        part = subset.load_font(path, options, dontLoadGlyphNames=True)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=CHARACTERS)
        subsetter.subset(part)
        fixed = {axis.axisTag: None for axis in part["fvar"].axes}  # each at its default
        part = instancer.instantiateVariableFont(part, {**fixed, "wght": WEIGHTS})
    part.flavor = "woff2"
    written = io.BytesIO()
    part.save(written)
    return written.getvalue()
