"""The parameters of torch.compile."""

import inspect
import re

import torch
from _lessons import LESSONS

from compile_lessons import Listing, show

USES = {
    "model": "the function or module to compile; leave it out to use torch.compile as a decorator with parameters",
    "fullgraph": "True: a graph break or the recompile limit raises an error",
    "dynamic": "None: static first, dynamic after a change; True: assume that sizes change; False: compile each size",
    "backend": "what runs Dynamo's graphs: a name or a function",
    "mode": "a named set of Inductor options",
    "options": "single options of Inductor, as a dict; not together with mode",
    "name": "a label of the compiled region, for tools",
    "disable": "True: return the function or module unchanged",
    "recompile_limit": "the number of versions after which calls run in eager mode",
    "isolate_recompiles": "True: this compilation has its own versions and its own limit",
    "shapes_spec": "which sizes are dynamic; torch 2.15 no longer has it",
}
parts = re.split(r"^ {7}(\w+) \(.*?\): ", torch.compile.__doc__, flags=re.M)[1:]
said = dict(zip(parts[::2], parts[1::2], strict=True))
rows = []
for name, parameter in inspect.signature(torch.compile).parameters.items():
    default = "required" if parameter.default is parameter.empty else repr(parameter.default)
    text = " ".join(said.get(name, "").split("\n\n")[0].split())
    rows.append([name, default, USES.get(name, ""), re.split(r"(?<=[.]) (?=[A-Z-])", text)[0]])
show(Listing(["parameter", "default", "use", "the first sentence of its documentation"], rows, LESSONS))
# region checks
names = [name for name, *_ in rows]
assert names[0] == "model" and {"fullgraph", "dynamic", "backend", "mode", "options"} <= set(names)
# endregion
