# /// lesson
# needs = ["compiler"]
# ///
"""unwrap() reads a setting that changes: no guard and no cache notices."""

import torch
from _wrapper import Wrapper
from torch._inductor.utils import fresh_cache  # private

from compile_lessons import Table, show


# region classes
class Gained(Wrapper):
    gain = 1.0

    def unwrap(self):
        return self.inner * self.gain


class GainInKey(Gained):
    def _stable_hash_for_caching(self):
        inner = f"{self.shape} {self.inner.dtype} {self.requires_grad}"
        return f"GainInKey {self.gain} {inner}"


# endregion
def sin(x):
    return x.sin()


compiled = torch.compile(sin)


def outcome(kind):
    x = kind(torch.ones(4))
    return "right" if torch.allclose(compiled(x), sin(x)) else "WRONG"


rows = []
for kind in (Gained, GainInKey):
    with fresh_cache():
        kind.gain = 1.0
        first = outcome(kind)
        kind.gain = 3.0
        changed = outcome(kind)
        torch.compiler.reset()  # like a new process: the cache on disk is what remains
        rows.append([kind.__name__, first, changed, outcome(kind)])
columns = ["class", "first call", "after gain = 3.0", "after torch.compiler.reset()"]
show(Table(columns, rows))
# region checks
assert rows[0][1:] == ["right", "WRONG", "WRONG"]
assert rows[1][1:] == ["right", "WRONG", "right"]
# endregion
