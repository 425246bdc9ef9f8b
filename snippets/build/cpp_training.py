# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""Ten training steps of a small GPT-2 in eager mode and with the C++ backend."""

from _kept_sources import keep_sources
from _models import GPT2Like, losses
from _step4_backend import backend

from compile_lessons import Table, show

sources = keep_sources()
eager = losses(GPT2Like)
compiled = losses(GPT2Like, backend)
pairs = list(zip(eager, compiled, strict=True))
rows = [[step, f"{a:.5f}", f"{b:.5f}"] for step, (a, b) in enumerate(pairs)]
show(Table(["step", "eager mode", "C++ backend"], rows))

forward, backward = (source.count('extern "C"') for source in sources)
print(
    f"C++ functions: {forward} in the forward graph, {backward} in the backward graph"
)
# region checks
assert all(abs(a - b) < 1e-4 for a, b in pairs)
assert eager[-1] < eager[0]
# endregion
