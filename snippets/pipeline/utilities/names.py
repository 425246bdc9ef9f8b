"""What torch.compiler offers, from the installed torch."""

import torch

from compile_lessons import Table, show


def first_sentence(function):
    text = " ".join((function.__doc__ or "").split())
    return text.split(". ")[0][:70]


rows = []
for name in sorted(torch.compiler.__all__):
    member = getattr(torch.compiler, name)
    if callable(member):
        rows.append([name, first_sentence(member)])
show(Table(["torch.compiler.", "its docstring begins"], rows))

functions = len(rows)

# region checks
names = {row[0] for row in rows}
assert {"reset", "disable", "set_stance", "is_compiling", "allow_in_graph"} <= names
# endregion
