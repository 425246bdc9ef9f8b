# /// lesson
# needs = ["compiler"]
# ///
"""A changing float that is a factor and also an argument of an operator: which of three calls are right."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, show

x, y = torch.randn(2, 4, 4).unbind()
programs = {
    "torch.lerp(x * p, y, p)": lambda x, p: torch.lerp(x * p, y, p),
    "F.rms_norm(x * p, (4,), eps=p + 0.1)": lambda x, p: F.rms_norm(x * p, (4,), eps=p + 0.1),
    "F.huber_loss(x * p, y, delta=p)": lambda x, p: F.huber_loss(x * p, y, delta=p),
}
rows = []
for name, function in programs.items():
    compiled = torch.compile(function)
    pairs = [(compiled(x, p), function(x, p)) for p in (1.0, 2.0, 3.0)]
    rows.append([name, *("right" if torch.allclose(*pair, atol=1e-5) else "wrong" for pair in pairs)])
show(Table(["function of x and p", "p = 1", "p = 2", "p = 3"], rows))
# region checks
assert [row[1:] for row in rows] == [["right", "right", third] for third in ("wrong", "wrong", "right")]
# endregion
