"""The parameters of torch.compile."""

import inspect

import torch

from compile_lessons import Listing, show
from compile_lessons.findings.catalogue import catalogue

USES = {
    "model": "the function or module to compile; leave it out to use torch.compile as a"
    " decorator with parameters",
    "fullgraph": "True: a graph break or the recompile limit raises an error",
    "dynamic": "None: static first, dynamic after a change; True: assume that sizes"
    " change; False: compile each size",
    "backend": "what runs Dynamo's graphs: a name or a function",
    "mode": "a named set of Inductor options",
    "options": "single options of Inductor, as a dict; not together with mode",
    "name": "a label for the compiled region, used by tools",
    "disable": "True: return the function or module unchanged",
    "recompile_limit": "the number of versions after which calls run in eager mode",
    "isolate_recompiles": "True: this compilation has its own versions and its own"
    " limit",
    "shapes_spec": "which sizes are dynamic; called dynamic_shapes from torch 2.14 on",
    "dynamic_shapes": "which sizes are dynamic",
}
rows = []
for parameter in inspect.signature(torch.compile).parameters.values():
    use = USES.get(parameter.name, "")
    rows.append([parameter.name, repr(parameter.default), use])
show(Listing(["parameter", "default", "use"], rows, catalogue().lessons))
# region checks
names = [row[0] for row in rows]
assert names[0] == "model"
assert {"fullgraph", "dynamic", "backend", "mode", "options"} <= set(names)
# endregion
