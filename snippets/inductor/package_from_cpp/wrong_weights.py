# /// lesson
# needs = ["compiler"]
# ///
"""load_constants copies bytes: a view, another dtype and other strides go wrong."""

import tempfile
import warnings

import torch
from torch import nn
from torch._inductor import (  # documented, although the name looks private
    aoti_compile_and_package,
    aoti_load_package,
    config,
)

from compile_lessons import Table, show

warnings.simplefilter("ignore")
config.aot_inductor.precompile_headers = False  # worth it for several packages only
config.aot_inductor.compile_wrapper_opt_level = "O0"  # compiles in less time


class Projections(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(16, 16, bias=False)
        self.k = nn.Linear(16, 16, bias=False)

    def forward(self, x):
        return self.q(x), self.k(x)


model = Projections().eval()
x = torch.randn(4, 16)
exported = torch.export.export(model, (x,))
path = aoti_compile_and_package(exported, package_path=f"{tempfile.mkdtemp()}/qk.pt2")
# region load
fused = torch.randn(32, 16)
new_q, new_k = fused.chunk(2)
candidates = {
    "new_q.clone()": new_q.clone(),
    "new_q, a view": new_q,
    "new_q.clone().half()": new_q.clone().half(),
    "new_q.t().clone().t()": new_q.t().clone(memory_format=torch.contiguous_format).t(),
}
rows = []
for name, weight in candidates.items():
    package = aoti_load_package(path)
    package.load_constants({"q.weight": weight}, check_full_update=False)
    q, k = package(x)
    q_is_right = torch.allclose(q, x @ new_q.t(), atol=1e-4)
    k_is_unchanged = torch.allclose(k, model.k(x), atol=1e-4)
    rows.append([name, q_is_right, k_is_unchanged])
show(Table(["loaded as q.weight", "q is right", "k is unchanged"], rows))
# endregion
# region checks
outcomes = [row[1:] for row in rows]
assert outcomes == [[True, True], [True, False], [False, True], [False, True]]
# endregion
