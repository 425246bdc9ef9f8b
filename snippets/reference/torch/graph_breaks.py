"""Every kind of graph break that this torch knows: its id, what it says, and its hints."""

import json
from pathlib import Path

import torch._dynamo

from compile_lessons import Listing, show

registry = json.loads((Path(torch._dynamo.__file__).parent / "graph_break_registry.json").read_text())
rows = []
for gb_id, forms in sorted(registry.items()):  # the ids have four digits
    variants = []
    for form in forms:  # a few ids are raised in several places, each with its own text
        text = form["Explanation"].strip('"') if " " in form["Explanation"] else "(made up while tracing)"
        row = [gb_id, form["Gb_type"], " ".join(text.split()), " ".join(" ".join(form["Hints"]).split())]
        variants += [row] if row not in variants else []
    rows += sorted(variants, key=lambda row: (not row[3], row[2].startswith("(made up")))  # with hints first
show(Listing(["id", "graph break", "explanation", "hints"], rows))
ids = len(registry)
# region checks
assert ids > 400 and "GB0170" in registry
# endregion
