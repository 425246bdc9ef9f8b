"""Step 3: passes that make the graph smaller and keep every bit of its results."""

import math
import operator

import torch
from torch.utils._python_dispatch import _disable_current_modes  # private

aten = torch.ops.aten
prims = torch.ops.prims

# --8<-- [start:rules]
#: Operators that return a view of some inputs, and a copy of others.
SOMETIMES_VIEWS = (aten._unsafe_view, aten.reshape, aten.contiguous, aten._reshape_copy)


def is_operator(node):
    # private: the class of an operator
    return isinstance(node.target, torch._ops.OpOverload)


def is_pure(node):
    """Whether a node may be removed or merged: it changes no tensor and no random
    state, and checks nothing.
    """
    if not is_operator(node):
        return node.op == "get_attr" or node.target is operator.getitem
    schema = node.target._schema
    draws = torch.Tag.nondeterministic_seeded in node.target.tags
    checks = not schema.returns  # what returns nothing checks something
    return not schema.is_mutable and not draws and not checks


def escapes(node):
    """Whether the caller gets this tensor or a view of it, and could write to it."""
    for user in node.users:
        if user.op == "output" or (is_view(user) and escapes(user)):
            return True
    return False


def is_view(node):
    if not is_operator(node):
        return node.target is operator.getitem
    shares_memory = any(result.alias_info for result in node.target._schema.returns)
    return shares_memory or node.target.overloadpacket in SOMETIMES_VIEWS


# --8<-- [end:rules]
# --8<-- [start:shrink]
def remove_dead_code(module):
    for node in reversed(module.graph.nodes):
        if not node.users and is_pure(node):
            module.graph.erase_node(node)


def merge_common(module):
    first = {}
    for node in module.graph.nodes:
        if is_pure(node) and not escapes(node):
            # As text, 1 and 1.0 differ, and so do 0.0 and -0.0.
            call = (node.op, node.target, str(node.args), str(node.kwargs))
            same = first.setdefault(call, node)
            if same is not node:
                node.replace_all_uses_with(same)


# --8<-- [end:shrink]
# --8<-- [start:fold]
def fold_constants(module, largest=4096):
    """Compute what depends on no input while compiling. Large results are left: they
    would stay in memory.
    """
    known = {}  # the tensors of constant nodes
    for node in list(module.graph.nodes):
        if node.op == "get_attr":
            stored = getattr(module, node.target, None)
            if torch.is_tensor(stored):
                known[node] = stored
        elif is_constant(node, known) and is_small(node, largest):
            known[node] = compute(node, known)
            # a tensor that is only filled costs as little as a stored one
            if node.all_input_nodes:
                stored = use_stored(module, node, known[node])
                known[stored] = known[node]


def is_constant(node, known):
    if node.op == "call_function" and is_pure(node) and not escapes(node):
        return all(used in known for used in node.all_input_nodes)
    return False


def is_small(node, largest):
    value = node.meta.get("val")
    return torch.is_tensor(value) and value.numel() <= largest


def compute(node, known):
    args, kwargs = torch.fx.map_arg((node.args, node.kwargs), known.__getitem__)
    # AOTAutograd is tracing: without this, the operator gets a tensor without data
    with _disable_current_modes():
        return node.target(*args, **kwargs)


def use_stored(module, node, tensor):
    """Store a tensor in the module, and read it in place of the node."""
    name = f"folded_{node.name}"
    module.register_buffer(name, tensor)
    with module.graph.inserting_before(node):
        stored = module.graph.get_attr(name)
    stored.meta = node.meta
    node.replace_all_uses_with(stored)
    return stored


# --8<-- [end:fold]
# --8<-- [start:rewrites]
def simpler(node):
    """Return what computes the same: an input, or an operator with its arguments.
    ``None`` if nothing does.

    Each rewrite holds for NaN, infinities and -0.0. x * 0 = 0 does not, nor does
    x + 0 = x: -0.0 + 0 is 0.0.
    """
    x = argument(node, 0)
    y = argument(node, 1)
    match node.target:
        case aten.mul.Tensor | aten.div.Tensor | aten.pow.Tensor_Scalar if equals(y, 1):
            return x
        case aten.sub.Tensor if is_plus_zero(y) and not node.kwargs:
            return x
        case aten.neg.default if target_of(x) is aten.neg.default:
            return x.args[0]
        case aten.alias.default | aten.detach.default:
            return x
        case prims.convert_element_type.default if dtype_of(x) == y:
            return x
        case aten.relu.default | aten.abs.default if target_of(x) is node.target:
            return x
        case aten.floor.default | aten.ceil.default if target_of(x) is node.target:
            return x
        case aten.abs.default if target_of(x) is aten.neg.default:
            return aten.abs.default, x.args[0]
        case aten.pow.Tensor_Scalar if equals(y, 2) and dtype_of(x) == dtype_of(node):
            return aten.mul.Tensor, x, x
        case aten.div.Tensor if is_power_of_two(y):
            return aten.mul.Tensor, x, 1 / y  # exact
        case aten.add.Tensor if target_of(y) is aten.neg.default and not node.kwargs:
            return aten.sub.Tensor, x, y.args[0]
        case aten.sub.Tensor if target_of(y) is aten.neg.default and not node.kwargs:
            return aten.add.Tensor, x, y.args[0]
    return None


# --8<-- [end:rewrites]
# --8<-- [start:conditions]
def argument(node, number):
    return node.args[number] if number < len(node.args) else None


def target_of(x):
    """Return the operator whose result an argument is, ``None`` for a number."""
    return x.target if isinstance(x, torch.fx.Node) else None


def dtype_of(node):
    return node.meta["val"].dtype


def equals(value, number):
    return type(value) in (int, float) and value == number  # a bool is no number


def is_plus_zero(value):
    return equals(value, 0) and math.copysign(1, value) == 1


def is_power_of_two(value):
    """Whether a number is one that leaves ``1 / value`` exact."""
    if type(value) not in (int, float):
        return False
    fraction, _ = math.frexp(value)
    return fraction == 0.5 and 2**-99 < value < 2**99


# --8<-- [end:conditions]
def simplify(module):
    for node in list(module.graph.nodes):
        new = simpler(node) if node.op == "call_function" else None
        if isinstance(new, tuple):
            target, *args = new
            with module.graph.inserting_before(node):
                call = module.graph.call_function(target, tuple(args))
            call.meta = node.meta
            node.replace_all_uses_with(call)
        elif isinstance(new, torch.fx.Node) and alike(new, node) and not escapes(node):
            node.replace_all_uses_with(new)


def alike(node, other):
    """Whether the tensors of two nodes have the same dtype, shape and strides."""
    a = node.meta["val"]
    b = other.meta["val"]
    return (a.dtype, a.shape, a.stride()) == (b.dtype, b.shape, b.stride())


def optimize(module):
    """Run the passes until nothing changes."""
    before = None
    while str(module.graph) != before:
        before = str(module.graph)
        for one_pass in (fold_constants, simplify, merge_common, remove_dead_code):
            one_pass(module)
    module.recompile()
    return module


if __name__ == "__main__":
    from _step2_interpret import backend_of

    def print_optimized(module):
        print(optimize(module).code)
        return module.forward

    def waves(x):
        return torch.sin(x) / 4 + torch.sin(x) ** 2 * 1

    compiled = torch.compile(waves, backend=backend_of(print_optimized))
    compiled(torch.randn(3))
