# /// lesson
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""The limit, and the calls after it."""

import torch

from compile_lessons import keep_graphs


def scale_by_length(x, name):
    return x * len(name)


kept = keep_graphs()
compiled = torch.compile(scale_by_length, backend=kept, recompile_limit=2)
ran = []
for name in ("ab", "abc", "abcd", "abc", "abcde"):
    runs_before = len(kept.runs)
    compiled(torch.ones(2), name)
    if len(kept.runs) > runs_before:
        ran.append(f"version {kept.runs[-1]}")
    else:
        ran.append("eager mode")
    print(f"-> {name}: {ran[-1]}")

# region checks
assert ran == ["version 0", "version 1", "eager mode", "version 1", "eager mode"]
# endregion
