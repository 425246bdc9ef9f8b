"""What docs/dynamo/guards.md states and its snippets don't assert themselves."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/dynamo/guards.md"


def test_types_named_on_the_page_are_made(record):
    text = "".join(record(f"dynamo/guards/{name}.py").text for name in ("causes", "kinds", "objects"))
    kinds = re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", PAGE.read_text(encoding="utf-8"))
    assert len(kinds) >= 7 and [kind for kind in kinds if kind not in text] == []


def test_the_log_names_the_lines(record):
    text = record("dynamo/guards/log.py").text
    assert "L['factor'] == 2" in text and "y = x * factor * gain" in text
