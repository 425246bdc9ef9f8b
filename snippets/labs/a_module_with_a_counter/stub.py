# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""A module with a counter: which kinds of counter cost a compile in each call,
and which kinds don't?

1. Replace each `...` in COMPILES with the number of compiles in four calls of a
   new instance of that class.
2. Write `Warmup`: call number n returns inner(x) * min(n, 4) / 4, so the result
   grows in the first four calls. `int(warmup.calls)` is the number of calls so
   far, and six calls need one compile. After `warmup.reset()`, counting begins
   again at 1, without another compile. Its gradients match eager mode's.
"""

import torch

from compile_lessons.labs import check


class Int(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1  # no other code uses it
        return x * 2


class Float(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0.0

    def forward(self, x):
        self.calls += 1.0
        return x * self.calls


class Items(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []

    def forward(self, x):
        self.seen.append("call")
        return x * 2


class Buffer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.tensor(0))

    def forward(self, x):
        self.calls = self.calls + 1
        return x * self.calls


COMPILES = {"Int": ..., "Float": ..., "Items": ..., "Buffer": ...}


class Warmup(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        ...

    def forward(self, x): ...

    def reset(self): ...


if __name__ == "__main__":
    check("a_module_with_a_counter", __file__)
