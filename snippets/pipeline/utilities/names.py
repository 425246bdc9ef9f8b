"""What torch.compiler offers, from the installed torch."""

import torch

from compile_lessons import Table, show


def first_sentence(name):
    text = " ".join((getattr(torch.compiler, name).__doc__ or "").split())
    return text.split(". ")[0][:70]


names = [name for name in torch.compiler.__all__ if callable(getattr(torch.compiler, name))]
show(Table(["torch.compiler.", "its docstring begins"], [[name, first_sentence(name)] for name in sorted(names)]))

functions = len(names)

# region checks
assert {"reset", "disable", "set_stance", "is_compiling", "allow_in_graph"} <= set(names)
# endregion
