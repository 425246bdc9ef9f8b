# /// lesson
# needs = ["compiler"]
# ///
"""unwrap() reads a setting that changes: no guard notices, and neither does the cache on disk."""

import torch
from _wrapper import Wrapper
from torch._inductor.utils import fresh_cache

from compile_lessons import Table, show


class Gained(Wrapper):
    gain = 1.0

    def unwrap(self):
        return self.inner * self.gain


class GainInKey(Gained):
    def _stable_hash_for_caching(self):
        return f"GainInKey {self.gain} {self.shape} {self.inner.dtype} {self.requires_grad}"


def outcome(kind):
    x = kind(torch.ones(4))
    return "right" if torch.allclose(compiled(x), x.sin()) else "WRONG"


rows, compiled = [], torch.compile(lambda x: x.sin())
with fresh_cache():
    for kind in Gained, GainInKey:
        kind.gain = 1.0
        row = [kind.__name__, outcome(kind)]
        kind.gain = 3.0
        row.append(outcome(kind))
        torch.compiler.reset()  # like a new process: the cache on disk is what remains
        row.append(outcome(kind))
        rows.append(row)
show(Table(["class", "first call", "after gain = 3.0", "after torch.compiler.reset()"], rows))
# region checks
assert [row[1:] for row in rows] == [["right", "WRONG", "WRONG"], ["right", "WRONG", "right"]]
# endregion
