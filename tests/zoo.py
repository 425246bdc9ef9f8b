"""Callables of every sort that ``capture`` must work on, each with a maker of its inputs."""

import contextlib
import dataclasses
from collections import namedtuple

import torch
from torch import nn
from torch.nn import functional as F


def plain(x):
    return torch.sin(x) * 2


def make_closure():
    scale = torch.tensor(3.0, requires_grad=True)

    def closure(x):
        return x * scale

    return closure


class Holder:
    def __init__(self):
        self.factor = 1.5

    def method(self, x):
        return x.cos() * self.factor


def mutates(x):
    x.mul_(2)
    return x + 1


def returns_view(x):
    return x[:, 1:], x.t()


def several_breaks(x):
    x = x + 1
    torch._dynamo.graph_break()
    x = x * 2
    torch._dynamo.graph_break()
    return x.sin()


def with_generator(x):
    return sum(x * i for i in range(3))


@contextlib.contextmanager
def doubled():
    yield 2.0


def with_context(x):
    with doubled() as factor, torch.no_grad():
        return x * factor


def with_cond(x):
    return torch.cond(x.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (x,))


@torch.library.custom_op("compile_lessons_tests::triple", mutates_args=())
def triple(x: torch.Tensor) -> torch.Tensor:
    return x * 3


@triple.register_fake
def _(x):
    return torch.empty_like(x)


def with_custom_op(x):
    return triple(x) + 1


def not_a_tensor(x):
    y = x * 2
    return y.shape[0], "text", None


@dataclasses.dataclass
class Pair:
    left: torch.Tensor
    right: list


Point = namedtuple("Point", "x y")


def containers(pair, *, table):
    return {"sum": pair.left + pair.right[0], "point": Point(table["a"][0] * 2, 7)}


def returns_dataclass(x):
    return Pair(x + 1, [x * 2])


class Norm(nn.Module):
    """Parameters, and buffers that change in training."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(8)
        self.linear = nn.Linear(8, 4)

    def forward(self, x):
        return self.linear(self.norm(x)).relu()


class Dropout(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        return F.dropout(self.linear(x), 0.5, self.training)


class Block(nn.Module):
    def __init__(self, width=16, heads=2):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        q, k, v = self.qkv(self.norm1(x)).chunk(3, -1)
        split = [part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (q, k, v)]
        mixed = F.scaled_dot_product_attention(*split, is_causal=True).transpose(1, 2).flatten(-2)
        x = x + self.out(mixed)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class TinyGPT(nn.Module):
    def __init__(self, vocabulary=32, width=16):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.block = Block(width)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        logits = self.head(self.block(self.embed(tokens)))
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


class ResidualBlock(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm1, self.norm2 = nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)

    def forward(self, x):
        return F.relu(x + self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x))))))


class MoE(nn.Module):
    """A mixture of experts, each applied to all tokens and weighted."""

    def __init__(self, width=8, experts=3):
        super().__init__()
        self.gate = nn.Linear(width, experts)
        self.experts = nn.ModuleList(nn.Linear(width, width) for _ in range(experts))

    def forward(self, x):
        weights, chosen = self.gate(x).softmax(-1).topk(2, -1)
        mask = torch.zeros(*x.shape[:-1], len(self.experts)).scatter(-1, chosen, weights)
        return sum(expert(x) * mask[..., i : i + 1] for i, expert in enumerate(self.experts))


class LSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 5, batch_first=True)

    def forward(self, x):
        return self.lstm(x)[0]


def _x(*shape, grad=False):
    return torch.randn(*shape, requires_grad=grad)


#: name → (callable, arguments, keywords, keywords of capture, number of graphs)
ZOO = {
    "plain": lambda: (plain, (_x(4),), {}, {}, 1),
    "training": lambda: (plain, (_x(4, grad=True),), {}, {}, 1),
    "closure": lambda: (make_closure(), (_x(4),), {}, {}, 1),
    "method": lambda: (Holder().method, (_x(4),), {}, {}, 1),
    "mutates": lambda: (mutates, (_x(4),), {}, {}, 1),
    "view": lambda: (returns_view, (_x(3, 4),), {}, {}, 1),
    "dynamic": lambda: (plain, (_x(5, 3),), {}, {"dynamic": True}, 1),
    "bf16": lambda: (plain, (_x(8).bfloat16(),), {}, {}, 1),
    "several breaks": lambda: (several_breaks, (_x(4),), {}, {}, 3),
    "generator": lambda: (with_generator, (_x(4),), {}, {}, 1),
    "context manager": lambda: (with_context, (_x(4),), {}, {}, 1),
    "cond": lambda: (with_cond, (_x(4),), {}, {}, 1),
    "custom op": lambda: (with_custom_op, (_x(4),), {}, {}, 1),
    "not a tensor": lambda: (not_a_tensor, (_x(4),), {}, {}, 1),
    "containers": lambda: (containers, (Pair(_x(3), [_x(3)]),), {"table": {"a": (_x(3),)}}, {}, 1),
    "returns a dataclass": lambda: (returns_dataclass, (_x(3),), {}, {}, 1),
    "norm, training": lambda: (Norm(), (_x(6, 8),), {}, {}, 1),
    "norm, inference": lambda: (Norm().eval(), (_x(6, 8),), {}, {"backward": False}, 1),
    "gpt": lambda: (TinyGPT(), (torch.randint(0, 32, (2, 8)),), {}, {}, 1),
    "resnet": lambda: (ResidualBlock(), (_x(2, 4, 6, 6),), {}, {}, 1),
    "lstm": lambda: (LSTM(), (_x(2, 3, 6),), {}, {}, None),
    "moe": lambda: (MoE(), (_x(5, 8),), {}, {}, 1),
}
