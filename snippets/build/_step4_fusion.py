"""Step 4, part 2: find groups of operators that one loop nest can compute."""

from _step4_ops import claims, is_reduction, reduced_dims


# --8<-- [start:group]
class Group:
    """Nodes that one loop nest computes: over the rows, and in each row one or more
    times over the columns.

    ``reduced`` is the number of dimensions that make up the columns, 0 without a
    reduction.
    """

    def __init__(self, node):
        self.nodes = []
        self.reduced = 0
        self.sizes = loop_sizes(node)
        self.domain = domain(node)
        self.add(node)

    def add(self, node):
        self.nodes.append(node)
        if is_reduction(node):
            self.reduced = reduced_dims(node)

    def takes(self, node):
        """Whether a node computes over the same elements, or over the same rows."""
        if is_reduction(node):
            same_rows = self.reduced in (0, reduced_dims(node))
            return same_rows and domain(node) == self.domain
        rows = self.domain[: len(self.domain) - self.reduced]
        one_per_row = rows + ["1"] * self.reduced
        return domain(node) in (self.domain, one_per_row)

    def is_row(self, node):
        """Whether a node has one value per row."""
        smaller = self.reduced > 0 and domain(node) != self.domain
        return is_reduction(node) or smaller


def loop_sizes(node):
    """Return the shape that a node computes over: for a reduction, its input's."""
    computed = node.args[0] if is_reduction(node) else node
    return computed.meta["val"].shape


def domain(node):
    """Return that shape as text, so that comparing symbols adds no guard."""
    return [str(size) for size in loop_sizes(node)]


# --8<-- [end:group]
# --8<-- [start:fuse]
def fuse(graph, claims=claims):
    """Put each claimed node into a group with its neighbors; return the groups."""
    groups = []
    home = {}  # the group of each node
    order = {node: number for number, node in enumerate(graph.nodes)}
    for node in graph.nodes:
        if node.op != "call_function" or not claims(node):
            continue
        group = find_group(node, home)
        if group is None:
            group = Group(node)
            groups.append(group)
        else:
            group.add(node)
        home[node] = group
        # the node brings the groups of its inputs together
        for other in dict.fromkeys(home.get(used) for used in node.all_input_nodes):
            if other not in (None, group) and merge(group, other, home, order):
                groups.remove(other)
    return groups


def find_group(node, home):
    """Return the last of the neighbors' groups that can take the node."""
    neighbors = [home[near] for near in near_to(node) if near in home]
    for group in reversed(neighbors):
        if group.takes(node) and not makes_cycle(node, group, home):
            return group
    return None


def near_to(node):
    """Yield a node's inputs, and the other nodes that read these: a loop reads an input
    once for all of them.
    """
    for used in node.all_input_nodes:
        yield used
        yield from used.users


def merge(group, other, home, order):
    """Move the nodes of ``other`` into ``group``; return whether that is possible."""
    reduced = {group.reduced, other.reduced} - {0}
    if group.domain != other.domain or len(reduced) > 1:
        return False
    nodes = sorted(group.nodes + other.nodes, key=lambda node: order[node])
    merged_home = home | dict.fromkeys(other.nodes, group)
    if any(makes_cycle(node, group, merged_home) for node in nodes):
        return False
    group.nodes = nodes
    group.reduced = max(group.reduced, other.reduced)
    home.update(merged_home)
    return True


def makes_cycle(node, group, home):
    """Whether an input of the node needs a result of the group by a way outside it:
    then neither could run first.
    """
    todo = [used for used in node.all_input_nodes if home.get(used) is not group]
    seen = set()
    while todo:
        needed = todo.pop()
        if home.get(needed) is group:
            return True
        if needed not in seen:
            members = home[needed].nodes if needed in home else [needed]
            seen.update(members)
            for member in members:
                todo += member.all_input_nodes
    return False


# --8<-- [end:fuse]
