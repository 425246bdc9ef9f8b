"""The pictures of pages: they are drawn where the site is published, and pages name theirs."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from small_site import small_site

from compile_lessons.course.site.cards import SIZE, card
from compile_lessons.ground.project import CACHE_VARIABLE


def drawn(title: str, about: str) -> Image.Image:
    return Image.open(io.BytesIO(card("Site", "Learn", title, about))).convert("RGB")


@pytest.mark.parametrize("title", ["Guards", "TORCH_TRACE AND TLPARSE", "A title of many words " * 9])
def test_text_of_any_length_stays_inside(title: str) -> None:
    image = drawn(title, "Words that say what it is about. " * 20)
    assert image.size == SIZE
    background = image.getpixel((0, 0))
    for box in ((1180, 0, 1200, 630), (0, 610, 1200, 630)):  # the edges at the right and at the bottom
        assert image.crop(box).getcolors() == [((box[2] - box[0]) * (box[3] - box[1]), background)]


def test_title_and_text_are_drawn() -> None:
    assert drawn("Guards", "a").tobytes() != drawn("Fusion", "a").tobytes() != drawn("Fusion", "b").tobytes()


@pytest.mark.parametrize("cards", [True, False])
def test_a_page_names_its_picture_where_there_is_one(tmp_path: Path, small_site_cache: Path, cards: bool) -> None:
    project = small_site(tmp_path)
    settings = (project.root / "mkdocs.yml").read_text()
    (project.root / "mkdocs.yml").write_text(settings + "site_url: https://example.org/course/\n")
    env = {**os.environ, CACHE_VARIABLE: str(small_site_cache), "CARDS": str(cards).lower()}
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "-q", "--strict"], cwd=project.root, env=env, check=True)
    site = project.root / "site"
    for name in ("index.html", "part/more/index.html"):
        text = (site / name).read_text(encoding="utf-8")
        named = re.findall(r'<meta property="og:image" content="https://example.org/course/([^"]+)">', text)
        assert re.search(r'<meta property="og:title" content="\w+">', text)
        assert len(named) == cards and all((site / path).is_file() for path in named)
    assert (site / "assets" / "cards").exists() == cards
