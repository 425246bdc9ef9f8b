"""Step 4, part 3: plan the loops of a group."""

import re

import torch
from _step4_ops import is_reduction


# --8<-- [start:plan]
class Plan:
    """What a code generator needs: inputs, outputs, loops, and the pass after which
    each value is ready.
    """

    def __init__(self, group, symbols):
        self.nodes = group.nodes
        self.is_row = group.is_row
        self.reduces = group.reduced > 0
        inside = set(group.nodes)
        used = dict.fromkeys(x for node in group.nodes for x in node.all_input_nodes)
        outside = [x for x in used if x not in inside]
        self.inputs = [x for x in outside if torch.is_tensor(x.meta["val"])]
        self.outputs = [node for node in group.nodes if set(node.users) - inside]
        self.tensors = self.inputs + self.outputs
        numbers = [x for x in outside if x not in self.inputs]
        self.scalars = list(dict.fromkeys(numbers + self.sizes(symbols)))
        self.symbols = [x for x in self.scalars if str(x.meta["val"]).isidentifier()]
        self.plan_loops(group)
        self.plan_passes()

    def sizes(self, symbols):
        """Return the graph's inputs whose symbols the tensors' layouts contain."""
        tensors = [x.meta["val"] for x in self.tensors]
        layouts = " ".join(f"{tensor.shape} {tensor.stride()}" for tensor in tensors)
        found = [name for name in symbols if re.search(rf"\b{name}\b", layouts)]
        return [symbols[name] for name in found]

    def plan_passes(self):
        self.ready = {}  # 0, or one more after each reduction on the way to the value
        for node in self.nodes:
            inputs = [self.ready[x] for x in node.all_input_nodes if x in self.ready]
            self.ready[node] = max(inputs, default=0)
            if is_reduction(node):
                self.ready[node] += 1
        self.passes = 1 + max(self.ready.values())

    def when(self, node):
        """Return the number of the pass that computes a node."""
        return self.ready[node] - 1 if is_reduction(node) else self.ready[node]

    def plan_loops(self, group):
        dims = list(range(len(group.sizes)))
        if self.reduces:
            split = len(dims) - group.reduced
            rows = self.join(group, dims[:split])
            columns = self.join(group, dims[split:])
        else:
            strides = self.outputs[0].meta["val"].stride()
            # walk through memory in its order
            if all(isinstance(stride, int) for stride in strides):
                dims.sort(key=lambda dim: strides[dim], reverse=True)
            loops = self.join(group, dims)
            rows = loops[:-1]
            columns = loops[-1:]
        self.rows = [Loop(f"r{n}", *loop) for n, loop in enumerate(rows)]
        self.columns = [Loop(f"c{n}", *loop) for n, loop in enumerate(columns)]

    def join(self, group, dims):
        """Return size and strides of a loop for each dimension. Neighboring dimensions
        that lie so in memory become one.
        """
        loops = []
        for dim in dims:
            size = group.sizes[dim]
            from_last = dim - len(group.sizes)
            strides = {x: stride_of(x.meta["val"], from_last) for x in self.tensors}
            if loops and continues(loops[-1], size, strides):
                outer_size, _ = loops.pop()
                size = outer_size * size
            if str(size) != "1":
                loops.append((size, strides))
        return loops


class Loop:
    """A loop as the generated code has it, with the strides of each tensor."""

    def __init__(self, name, size, strides):
        self.name = name
        self.size = as_text(size)
        self.strides = {x: as_text(stride) for x, stride in strides.items()}


def stride_of(tensor, dim):
    """Return the stride in a dimension counted from the last, 0 if it is broadcast."""
    if -dim > tensor.ndim or str(tensor.shape[dim]) == "1":
        return 0
    return tensor.stride(dim)


def continues(outer, size, strides):
    """Whether a loop goes on in memory where the loop outside it ends."""
    _, outer_strides = outer
    return all(str(outer_strides[x]) == str(strides[x] * size) for x in strides)


def as_text(number):  # a number, a symbol or, in parentheses, a term
    return str(number) if str(number).isalnum() else f"({number})"


def product(loops):
    return " * ".join(loop.size for loop in loops) or "1"


# --8<-- [end:plan]
