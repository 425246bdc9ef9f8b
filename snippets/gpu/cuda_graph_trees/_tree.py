"""Three functions with a CUDA graph each, and the tree of their recordings."""

import torch

# private: torch has no public view of the recordings
from torch._inductor.cudagraph_trees import get_manager


def compiled(function):
    return torch.compile(function, mode="reduce-overhead")


@compiled
def encode(x):
    return torch.sin(x) * 2


@compiled
def decode(h):
    return torch.cos(h) + 1


@compiled
def refine(h):
    return torch.tanh(h) - 1


#: Inductor numbers the functions in the order of their first calls.
NAMES = ["encode", "decode", "refine"]


def nodes(children, depth=0):
    """Yield each recording below a node, with its depth in the tree."""
    for recordings in children.values():
        for node in recordings:
            yield node, depth
            yield from nodes(node.children, depth + 1)


def tree():
    """Return the recordings of the first GPU, each with its depth."""
    return list(nodes(get_manager(0).roots))


def draw():
    """Return a line for each recording, indented below its parent."""
    lines = []
    for node, depth in tree():
        name = NAMES[node.wrapped_function.id.id]
        lines.append(f"{'    ' * depth}{name} (recording {node.id.id})")
    return lines
