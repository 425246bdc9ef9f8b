"""The backends that torch registers, with their tags."""

import torch._dynamo
from torch._dynamo.backends.registry import lookup_backend

from compile_lessons import Listing, show
from compile_lessons.findings.catalogue import catalogue

rows = []
for name in torch._dynamo.list_backends(exclude_tags=None):
    try:
        tags = ", ".join(getattr(lookup_backend(name), "_tags", ()))
    except Exception as error:  # a package that is not installed
        tags = f"{type(error).__name__}: {error}".splitlines()[0][:80]
    listed = "yes" if name in torch._dynamo.list_backends() else "no"
    rows.append([name, listed, tags])
show(Listing(["backend", "listed by default", "tags"], rows, catalogue().lessons))
# region checks
assert [name for name, listed, _ in rows if listed == "yes"] == torch._dynamo.list_backends()
# endregion
