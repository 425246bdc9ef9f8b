"""Every kind of graph break that this torch knows: id, explanation and hints."""

import json
import re
from pathlib import Path

from torch._dynamo import graph_break_hints  # private: torch's texts

from compile_lessons import Listing, Table, show
from compile_lessons.findings.catalogue import catalogue

COMMON = {
    hints[0].strip(): f"`{name.replace('_', ' ').capitalize()}`"
    for name, hints in vars(graph_break_hints).items()
    if name.isupper()
}


def lines(hints):
    """Return a line for each hint, or its name as code."""
    text = ""
    for hint in hints:
        goes_on = hint.endswith(" ") and hint.strip() not in COMMON
        text += hint if goes_on else f"{hint}\n"
    stripped = [line.strip() for line in text.split("\n")]
    named = [COMMON.get(line, re.sub(r"^\* ", "• ", line)) for line in stripped]
    return "\n".join(line for line in named if line)


def explanation_of(form):
    """Return the text of an explanation, or nothing if it's a variable's name."""
    explanation = form["Explanation"]
    if " " not in explanation:
        return ""
    pieces = re.findall(r'"([^"]*)"', explanation)  # code: "…" "…" + more
    return " ".join("".join(pieces or [explanation]).split())


def rows_of(gb_id, forms):
    """Return a row for each text: a few ids are raised in several places."""
    variants = []
    for form in forms:
        row = [gb_id, form["Gb_type"], explanation_of(form), lines(form["Hints"])]
        if row not in variants:
            variants.append(row)
    explained = [row for row in variants if row[2]]
    if not explained:
        unknown = "(made up while tracing)"
        explained = [[*row[:2], unknown, row[3]] for row in variants]
    # leave out a row without hints if one with hints has the same explanation
    with_hints = {row[2] for row in explained if row[3]}
    kept = [row for row in explained if row[3] or row[2] not in with_hints]
    return sorted(kept, key=lambda row: not row[3])  # those with hints first


path = Path(graph_break_hints.__file__).with_name("graph_break_registry.json")
registry = json.loads(path.read_text())
rows = []
for gb_id, forms in sorted(registry.items()):  # the ids have four digits
    rows += rows_of(gb_id, forms)
lessons = {gb_id: entry.lesson for gb_id, entry in catalogue().breaks.items()}
show(Listing(["id", "graph break", "explanation", "hints"], rows, lessons))
hints = [[name.strip("`"), text.replace("`", "")] for text, name in COMMON.items()]
show(Table(["hint", "in full"], hints))
ids = len(registry)
messages = len(rows)
# region checks
assert ids > 400
assert "GB0170" in registry
assert sum("Supportable" in row[3] for row in rows) > 100
# a few common texts are inside a hint that goes on
assert sum(text in row[3] for row in rows for text in COMMON) < 5
# endregion
