"""What a lab's page shows of its ``lab.toml``: the hints, each folded, and the key question with its answer."""

from __future__ import annotations

from typing import Literal

from markdown import markdown

from compile_lessons.labs.lab import find_lab


def part_html(slug: str, part: Literal["hints", "question"]) -> str:
    """Return the HTML of a part. Raises ``LabError`` if there is no such lab."""
    facts = find_lab(slug).facts
    if part == "question":
        return _folded("question", facts.question, facts.answer)
    return "".join(_folded("tip", f"Hint {number}", text) for number, text in enumerate(facts.hints, 1))


def part_markdown(slug: str, part: Literal["hints", "question"]) -> str:
    """Return the Markdown of a part. Raises ``LabError`` if there is no such lab."""
    facts = find_lab(slug).facts
    if part == "question":
        return f"**{facts.question}**\n\n{facts.answer}"
    return "\n".join(f"{number}. {text}" for number, text in enumerate(facts.hints, 1))


def _folded(kind: str, title: str, text: str) -> str:
    """Return one of the theme's boxes that fold out."""
    summary = markdown(title).removeprefix("<p>").removesuffix("</p>")
    return f'<details class="{kind}"><summary>{summary}</summary>{markdown(text)}</details>'
