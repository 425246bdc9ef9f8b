# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""-ffast-math: NaN is no longer found, and the process rounds small numbers to 0."""

import _step4_backend
import torch

from compile_lessons import Table, show


def clean(gradient):
    return torch.where(torch.isnan(gradient), 0, gradient)


gradient = torch.tensor([1.0, float("nan")] * 8)
tiny = torch.tensor([1e-40])
flags = _step4_backend.FLAGS
rows = []
for name, extra in (("FLAGS", []), ("-ffast-math", ["-ffast-math"])):
    torch.compiler.reset()
    _step4_backend.FLAGS = flags + extra
    result = torch.compile(clean, backend=_step4_backend.backend)(gradient)
    rows.append([name, int(result.isnan().sum()), f"{(tiny * 1).item():.0e}"])
show(Table(["compiled with", "NaNs left", "1e-40 * 1 in eager mode"], rows))
# region checks
assert rows[0] == ["FLAGS", 0, "1e-40"]
assert rows[1][1] == 8
# endregion
