"""Every kind of graph break that this torch knows: its id, what it says, and its hints."""

import json
import re
from pathlib import Path

from torch._dynamo import graph_break_hints

from compile_lessons import Listing, Table, show
from compile_lessons.findings.catalogue import catalogue

COMMON = {
    hints[0].strip(): f"`{name.replace('_', ' ').capitalize()}`"
    for name, hints in vars(graph_break_hints).items()
    if name.isupper()
}


def lines(hints):
    """A line for each hint, or its name as code; one that ends in a space goes on in the next."""
    text = "".join(hint if hint.endswith(" ") and hint.strip() not in COMMON else f"{hint}\n" for hint in hints)
    return "\n".join(COMMON.get(hint, re.sub(r"^\* ", "• ", hint)) for hint in map(str.strip, text.split("\n")) if hint)


registry = json.loads(Path(graph_break_hints.__file__).with_name("graph_break_registry.json").read_text())
rows = []
for gb_id, forms in sorted(registry.items()):  # the ids have four digits
    variants = []
    for form in forms:  # a few ids are raised in several places, each with its own text
        pieces = re.findall(r'"([^"]*)"', form["Explanation"]) or [form["Explanation"]]  # code: "…" "…" + more
        text = "".join(pieces) if " " in form["Explanation"] else ""  # else the name of a variable
        row = [gb_id, form["Gb_type"], " ".join(text.split()), lines(form["Hints"])]
        variants += [row] if row not in variants else []
    said = [row for row in variants if row[2]] or [[*row[:2], "(made up while tracing)", row[3]] for row in variants]
    hinted = {row[2] for row in said if row[3]}
    rows += sorted((row for row in said if row[3] or row[2] not in hinted), key=lambda row: not row[3])
lessons = {gb_id: entry.lesson for gb_id, entry in catalogue().breaks.items()}
show(Listing(["id", "graph break", "explanation", "hints"], rows, lessons))
show(Table(["hint", "in full"], [[name.strip("`"), text.replace("`", "")] for text, name in COMMON.items()]))
ids, messages = len(registry), len(rows)
# region checks
assert ids > 400 and "GB0170" in registry
assert sum("Supportable" in row[3] for row in rows) > 100
assert sum(text in row[3] for row in rows for text in COMMON) < 5  # inside a hint that goes on
# endregion
