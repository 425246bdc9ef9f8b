"""The stances of torch.compiler.set_stance."""

import inspect
import re

import torch

from compile_lessons import Listing, show

documentation = inspect.getdoc(torch.compiler.set_stance)
stances = re.findall(r'- "(\w+)"\s*:\s*(.*?)(?=\n\s*- "|\n\n|\Z)', documentation, re.S)
rows = [[name, " ".join(text.replace("`", "").split())] for name, text in stances]
show(Listing(["stance", "its docstring"], rows, prefix="stance-"))
# region checks
assert {"default", "force_eager", "fail_on_recompile"} <= {name for name, _ in rows}
# endregion
