# /// lesson
# needs = ["compiler"]
# env = {PYTHONWARNINGS = "ignore"}
# ///
"""A package exported with one tensor for three inputs reads only one of them."""

import tempfile
from pathlib import Path

import torch
from torch import nn
from torch._inductor import (  # documented, although the name looks private
    aoti_compile_and_package,
    aoti_load_package,
    config,
)

from compile_lessons import Table, show

config.aot_inductor.precompile_headers = False  # worth it for several packages only
config.aot_inductor.compile_wrapper_opt_level = "O0"  # compiles in less time


# region export
class Attention(nn.Module):
    def forward(self, query, key, value):
        scores = query @ key.mT
        return scores.softmax(-1) @ value


query, key, value = torch.randn(3, 2, 16, 8)
examples = {
    "one tensor": (query, query, query),
    "three tensors": (query, query.clone(), query.clone()),
}
exports = {
    name: torch.export.export(Attention(), inputs) for name, inputs in examples.items()
}
# endregion
with tempfile.TemporaryDirectory() as folder:
    path = str(Path(folder) / "attention.pt2")
    aoti_compile_and_package(exports["one tensor"], package_path=path)
    package = aoti_load_package(path)
rows = []
for name, run, exported in (
    ("one tensor", exports["one tensor"].module(), exports["one tensor"]),
    ("one tensor, package", package, exports["one tensor"]),
    ("three tensors", exports["three tensors"].module(), exports["three tensors"]),
):
    placeholders = exported.graph.find_nodes(op="placeholder")
    read = [node.name for node in placeholders if node.users]
    expected = Attention()(query, key, value)
    same = torch.allclose(run(query, key, value), expected, atol=1e-5)
    rows.append([name, ", ".join(read), "right" if same else "wrong"])
show(Table(["exported with", "inputs that are read", "result for three tensors"], rows))
# region checks
assert [row[1:] for row in rows] == [
    ["value", "wrong"],
    ["value", "wrong"],
    ["query, key, value", "right"],
]
# endregion
