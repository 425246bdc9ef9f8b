"""The functions of torch.compiler."""

import inspect
import re

import torch

from compile_lessons import Listing, show
from compile_lessons.findings.catalogue import catalogue


def first_paragraph(member):
    """Return the first paragraph of a docstring, without reStructuredText's marks."""
    words = " ".join((inspect.getdoc(member) or "").split("\n\n")[0].split())
    return re.sub(r":\w+:(?=`)|`|\*+|\\ ", "", words)


def signature_of(member):
    """Return the signature of a function; its classes have no modules."""
    if not inspect.isroutine(member):
        return ""
    return re.sub(r"(?:\w+\.)+(?=[A-Z])", "", str(inspect.signature(member)))


rows = []
for name in sorted(torch.compiler.__all__):
    member = getattr(torch.compiler, name)
    rows.append([name, signature_of(member), first_paragraph(member)])
columns = [
    "torch.compiler.",
    "signature",
    "the first paragraph of its documentation",
]
show(Listing(columns, rows, catalogue().lessons, "torch.compiler."))
# region checks
assert {"reset", "disable", "set_stance", "is_compiling"} <= {row[0] for row in rows}
# endregion
