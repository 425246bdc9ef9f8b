# asks `torch.compiler.is_compiling()`

import torch


class Int(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1  # nobody uses it
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
        self.calls += 1
        return x * self.calls


COMPILES = {"Int": 4, "Float": 2, "Items": 4, "Buffer": 1}


class Warmup(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.register_buffer("calls", torch.tensor(0))

    def forward(self, x):
        if torch.compiler.is_compiling():
            return self.inner(x)
        self.calls += 1
        return self.inner(x) * self.calls.clamp(max=4) / 4

    def reset(self):
        self.calls.zero_()
