"""The parameters of torch.compile in the installed torch."""

import inspect

import torch

from compile_lessons import Table, show

parameters = inspect.signature(torch.compile).parameters
rows = [[p.name, p.kind.description, repr(p.default)] for p in parameters.values()]
show(Table(["parameter", "kind", "default"], rows))

# region checks
keyword_only = sum(p.kind is p.KEYWORD_ONLY for p in parameters.values())
names = {"fullgraph", "dynamic", "backend", "mode", "options", "disable"}
assert names <= set(parameters)
assert keyword_only == len(parameters) - 1
assert torch.compiler.get_default_backend() == "inductor"
# the parameter `name`
assert "identifier for the compiled region" in torch.compile.__doc__
# endregion
