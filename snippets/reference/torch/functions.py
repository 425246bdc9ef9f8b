"""The functions of torch.compiler."""

import inspect
import re

import torch

from compile_lessons import Listing, show
from compile_lessons.findings.catalogue import catalogue

rows = []
for name in sorted(torch.compiler.__all__):
    member = getattr(torch.compiler, name)
    words = " ".join((inspect.getdoc(member) or "").split("\n\n")[0].split())
    words = re.sub(r":\w+:(?=`)|`|\*+|\\ ", "", words)  # without reStructuredText's marks
    signature = str(inspect.signature(member)) if inspect.isroutine(member) else ""
    signature = re.sub(r"(?:\w+\.)+(?=[A-Z])", "", signature)  # classes without their modules
    rows.append([name, signature, words])
show(
    Listing(
        ["torch.compiler.", "signature", "the first paragraph of its documentation"],
        rows,
        catalogue().lessons,
        "torch.compiler.",
    )
)
# region checks
assert {"reset", "disable", "set_stance", "is_compiling"} <= {name for name, *_ in rows}
# endregion
