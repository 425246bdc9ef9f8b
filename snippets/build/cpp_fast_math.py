# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""One flag, -ffast-math: NaN is no longer found, and the rest of the process rounds small numbers to 0."""

import _step4_backend
import torch

from compile_lessons import Table, show


def clean(gradient):
    return torch.where(torch.isnan(gradient), 0, gradient)


gradient, tiny = torch.tensor([1.0, float("nan")] * 8), torch.tensor([1e-40])
flags, rows = _step4_backend.FLAGS, []
for extra in ([], ["-ffast-math"]):
    torch.compiler.reset()
    _step4_backend.FLAGS = flags + extra
    result = torch.compile(clean, backend=_step4_backend.backend)(gradient)
    rows.append([" ".join(extra) or "FLAGS", int(result.isnan().sum()), f"{(tiny * 1).item():.0e}"])
show(Table(["compiled with", "NaNs left", "1e-40 * 1 in eager mode"], rows))
# region checks
assert rows[0] == ["FLAGS", 0, "1e-40"] and rows[1][1] == 8
# endregion
