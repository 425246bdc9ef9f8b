"""A picture of a page, which other sites show beside a link to it: its title, its section and what it is about."""

import functools
import io
import textwrap
from pathlib import Path

import matplotlib
from PIL import Image, ImageDraw, ImageFont

#: The size that sites ask for.
SIZE = (1200, 630)
_INK, _EMBER, _LIGHT, _PALE = "#0f172a", "#f97316", "#ffffff", "#cbd5e1"
_LEFT = 80
#: The arrows of docs/assets/logo.svg, in its units.
_LOGO = (
    (_EMBER, ((3, 5), (14, 5), (18, 8.5), (14, 12), (3, 12))),
    ("#fdba74", ((3, 13.5), (11, 13.5), (14, 16.1), (11, 18.7), (3, 18.7))),
    (_LIGHT, ((17.2, 13.2), (21, 16.5), (17.2, 19.8), (17.2, 17.6), (18.6, 16.5), (17.2, 15.4))),
)


def card(site: str, section: str, title: str, about: str) -> bytes:
    """Return the picture as PNG. Text that is too long for it ends with an ellipsis."""
    image = Image.new("RGB", SIZE, _INK)
    draw = ImageDraw.Draw(image)
    for color, points in _LOGO:
        draw.polygon([(_LEFT - 9 + x * 3, 60 + y * 3) for x, y in points], fill=color)
    draw.text((_LEFT + 80, 78), site, font=_font("DejaVuSans-Bold.ttf", 32), fill=_LIGHT)
    draw.text((_LEFT, 190), section, font=_font("DejaVuSans.ttf", 28), fill=_EMBER)
    lines = textwrap.wrap(title, 25, max_lines=2, placeholder=" …")
    draw.multiline_text((_LEFT, 240), "\n".join(lines), font=_font("DejaVuSans-Bold.ttf", 62), fill=_LIGHT, spacing=14)
    text = "\n".join(textwrap.wrap(about, 62, max_lines=3, placeholder=" …"))
    draw.multiline_text((_LEFT, 260 + 82 * len(lines)), text, font=_font("DejaVuSans.ttf", 29), fill=_PALE, spacing=10)
    written = io.BytesIO()
    image.quantize(32).save(written, format="PNG")
    return written.getvalue()


@functools.cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Return a font that matplotlib brings along."""
    return ImageFont.truetype(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name), size)
