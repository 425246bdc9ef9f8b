"""A parameter without a gradient, and a minimum of two tensors."""

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
        self.calls = torch.nn.Parameter(torch.tensor(0.0), requires_grad=False)

    def forward(self, x):
        self.calls += 1
        return self.inner(x) * torch.minimum(self.calls / 4, torch.tensor(1.0))

    def reset(self):
        self.calls.fill_(0)
