"""The parameters of torch.compile."""

import inspect
import re

import torch
from _lessons import LESSONS

from compile_lessons import Listing, show

parts = re.split(r"^ {7}(\w+) \(.*?\): ", torch.compile.__doc__, flags=re.M)[1:]
said = dict(zip(parts[::2], parts[1::2], strict=True))
rows = []
for name, parameter in inspect.signature(torch.compile).parameters.items():
    default = "required" if parameter.default is parameter.empty else repr(parameter.default)
    text = " ".join(said.get(name, "").split("\n\n")[0].split())
    rows.append([name, default, re.split(r"(?<=[.]) (?=[A-Z-])", text)[0]])
show(Listing(["parameter", "default", "the first sentence of its documentation"], rows, LESSONS))
# region checks
names = [name for name, *_ in rows]
assert names[0] == "model" and {"fullgraph", "dynamic", "backend", "mode", "options"} <= set(names)
# endregion
