"""The style sheets: what makes pages slow."""

import re
from pathlib import Path

ASSETS = Path(__file__).parents[3] / "docs" / "assets"
#: ``.md-content:has(.hero-title)``, ``body:not(:has(.hero-title))``
OF_THE_WHOLE_PAGE = re.compile(r"(?:\bbody|\.md-(?:container|main|content))(?::not\()?:has\([^{]*")


def test_no_rule_asks_what_the_whole_page_has() -> None:
    """Browsers would ask again for each element that a script adds, for seconds. A class of ``main.html`` says it."""
    sheets = {path.name: path.read_text(encoding="utf-8") for path in ASSETS.glob("*.css")}
    assert len(sheets) >= 4
    assert {name: rules for name, text in sheets.items() if (rules := OF_THE_WHOLE_PAGE.findall(text))} == {}
