"""What keeps people from using a page, as axe finds it."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import axe_playwright_python

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def looks(page: Any, widths: Iterable[int], schemes: Iterable[str] = ("light", "dark")) -> Iterator[None]:
    """Show a page in each scheme and width, where axe has to find nothing."""
    page.evaluate(AXE)
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            broken = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
            assert [(rule["id"], rule["nodes"][0]["html"][:160]) for rule in broken] == [], (scheme, width)
            yield
