"""Step 4, part 2: find groups of operators that one loop nest can compute, and plan the
loops.
"""

import re

import torch
from _step4_ops import REDUCTIONS, claims, name_of, reduced_dims


# --8<-- [start:fuse]
class Group:
    """Nodes that one loop nest computes: over the rows, and in each row ``passes``
    times over the columns.

    ``reduced`` is the number of dimensions that make up the columns, 0 without a
    reduction.
    """

    def __init__(self, node):
        self.nodes, self.shape, self.reduced = [], domain(node), 0
        self.sizes = (
            (node.args[0] if name_of(node) in REDUCTIONS else node).meta["val"].shape
        )
        self.add(node)

    def add(self, node):
        self.nodes.append(node)
        self.reduced = (
            reduced_dims(node) if name_of(node) in REDUCTIONS else self.reduced
        )

    def takes(self, node):
        if name_of(node) in REDUCTIONS and self.reduced not in (0, reduced_dims(node)):
            return False
        one_per_row = (
            self.shape[: len(self.shape) - self.reduced] + ["1"] * self.reduced
        )
        return domain(node) in (
            self.shape,
            one_per_row if name_of(node) not in REDUCTIONS else None,
        )

    def is_row(self, node):
        """Whether a node has one value per row."""
        return name_of(node) in REDUCTIONS or bool(
            self.reduced and domain(node) != self.shape
        )


def domain(node):
    """Return the shape that a node computes over, as text, so that comparing symbols
    adds no guard.
    """
    return [
        str(n)
        for n in (node.args[0] if name_of(node) in REDUCTIONS else node)
        .meta["val"]
        .shape
    ]


def fuse(graph, claims=claims):
    """Put each claimed node into a group with its neighbors; return the groups."""
    groups, home, order = (
        [],
        {},
        {node: number for number, node in enumerate(graph.nodes)},
    )
    for node in graph.nodes:
        if node.op == "call_function" and claims(node):
            neighbors = [home[near] for near in near_to(node) if near in home]
            fitting = (
                g
                for g in reversed(neighbors)
                if g.takes(node) and not makes_cycle(node, g, home)
            )
            group = next(fitting, None)
            if group is None:
                groups.append(group := Group(node))
            else:
                group.add(node)
            home[node] = group
            met = {home[x] for x in node.all_input_nodes if x in home} - {group}
            merged = [other for other in met if merge(group, other, home, order)]
            groups = [group for group in groups if group not in merged]
    return groups


def merge(group, other, home, order):
    before, reduced = (group.nodes, group.reduced), {group.reduced, other.reduced} - {0}
    if group.shape != other.shape or len(reduced) > 1:
        return False
    group.nodes = sorted(group.nodes + other.nodes, key=order.__getitem__)
    group.reduced = max(group.reduced, other.reduced)
    home |= dict.fromkeys(other.nodes, group)
    cycle = any(makes_cycle(node, group, home) for node in group.nodes)
    if cycle:
        group.nodes, group.reduced = before
        home |= dict.fromkeys(other.nodes, other)
    return not cycle


def near_to(node):
    """Yield a node's inputs, and the other nodes that read these: a loop reads an input
    once for all of them.
    """
    for used in node.all_input_nodes:
        yield used
        yield from used.users


def makes_cycle(node, group, home):
    """Whether an input of the node needs a result of the group by a way outside it:
    then neither could run first.
    """
    todo, seen = (
        [used for used in node.all_input_nodes if home.get(used) is not group],
        set(),
    )
    while todo:
        if (one := todo.pop()) not in seen:
            if home.get(one) is group:
                return True
            members = home[one].nodes if one in home else [one]
            seen.update(members)
            todo += [
                used
                for member in members
                for used in member.all_input_nodes
                if used not in seen
            ]
    return False


# --8<-- [end:fuse]
# --8<-- [start:plan]
class Plan:
    """What a code generator needs: inputs, outputs, loops, and the pass after which
    each value is ready.
    """

    def __init__(self, group, symbols):
        inside = set(group.nodes)
        used = dict.fromkeys(
            x for node in group.nodes for x in node.all_input_nodes if x not in inside
        )
        self.nodes, self.is_row, self.reduces = (
            group.nodes,
            group.is_row,
            group.reduced > 0,
        )
        self.inputs = [x for x in used if isinstance(x.meta["val"], torch.Tensor)]
        self.outputs = [
            node
            for node in group.nodes
            if any(user not in inside for user in node.users)
        ]
        self.tensors = self.inputs + self.outputs
        dims = list(range(len(group.shape)))
        if group.reduced:
            split = len(dims) - group.reduced
            self.rows, self.columns = (
                self.loops(group, dims[:split]),
                self.loops(group, dims[split:]),
            )
        else:
            strides = self.outputs[0].meta["val"].stride()
            # walk through memory in its order
            if all(isinstance(stride, int) for stride in strides):
                dims.sort(key=strides.__getitem__, reverse=True)
            loops = self.loops(group, dims)
            self.rows, self.columns = loops[:-1], loops[-1:]
        layout = " ".join(
            f"{x.meta['val'].shape} {x.meta['val'].stride()}" for x in self.tensors
        )
        named = [
            symbol
            for name, symbol in symbols.items()
            if re.search(rf"\b{name}\b", layout)
        ]
        self.scalars = list(
            dict.fromkeys([*(x for x in used if x not in self.inputs), *named])
        )
        self.symbols = [x for x in self.scalars if str(x.meta["val"]).isidentifier()]
        self.ready = {}  # 0, or one more after each reduction on the way to the value
        for node in group.nodes:
            before = max(
                (self.ready[x] for x in node.all_input_nodes if x in inside), default=0
            )
            self.ready[node] = before + (name_of(node) in REDUCTIONS)
        self.passes = 1 + max(self.ready.values())

    def when(self, node):
        """Return the number of the pass that computes a node."""
        return self.ready[node] - (name_of(node) in REDUCTIONS)

    def loops(self, group, dims):
        """Return size and strides by tensor of each loop. Neighboring dimensions that
        lie so in memory become one.
        """
        loops = []
        for dim in dims:
            size, strides = group.sizes[dim], {}
            for x in self.tensors:
                tensor, own = x.meta["val"], dim - len(group.sizes)
                broadcast = -own > tensor.ndim or str(tensor.shape[own]) == "1"
                strides[x] = 0 if broadcast else tensor.stride(own)
            if loops and all(
                str(loops[-1][1][x]) == str(strides[x] * size) for x in self.tensors
            ):
                loops[-1] = (loops[-1][0] * size, strides)
            elif str(size) != "1":
                loops.append((size, strides))
        return [
            (text(size), {x: text(stride) for x, stride in strides.items()})
            for size, strides in loops
        ]


def text(number):  # a number, a symbol or, in parentheses, a term
    return str(number) if str(number).isalnum() else f"({number})"


# --8<-- [end:plan]
