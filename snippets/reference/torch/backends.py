"""The backends that torch registers, with their tags."""

import torch

# private: torch has no public way to a backend's tags
from torch._dynamo.backends.registry import lookup_backend

from compile_lessons import Listing, show
from compile_lessons.findings.catalogue import catalogue


def tags_of(name):
    try:
        return ", ".join(getattr(lookup_backend(name), "_tags", ()))
    except Exception as error:  # a package that is not installed
        return f"{type(error).__name__}: {error}".splitlines()[0][:80]


listed = torch.compiler.list_backends()
rows = []
for name in torch.compiler.list_backends(exclude_tags=None):
    rows.append([name, "yes" if name in listed else "no", tags_of(name)])
show(Listing(["backend", "listed by default", "tags"], rows, catalogue().lessons))
# region checks
assert [row[0] for row in rows if row[1] == "yes"] == listed
# endregion
