"""Step 3: passes that make the graph smaller and keep every bit of its results."""

import math
import operator

import torch
from torch.utils._python_dispatch import _disable_current_modes

aten, prims = torch.ops.aten, torch.ops.prims
SOMETIMES_VIEWS = (
    "aten::_unsafe_view",
    "aten::reshape",
    "aten::contiguous",
    "aten::_reshape_copy",
)


# --8<-- [start:rules]
def is_pure(node):
    """Whether a node may be removed or merged: it changes no tensor and no random
    state, and checks nothing.
    """
    # private: the class of an operator
    if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload):
        return node.op == "get_attr" or node.target is operator.getitem
    schema, draws = (
        node.target._schema,
        torch.Tag.nondeterministic_seeded in node.target.tags,
    )
    # what returns nothing checks something
    return bool(schema.returns) and not schema.is_mutable and not draws


def escapes(node):
    """Whether the caller gets this tensor or a view of it, and could write to it."""
    return any(
        user.op == "output" or (is_view(user) and escapes(user)) for user in node.users
    )


def is_view(node):
    # private: the class of an operator
    if not isinstance(node.target, torch._ops.OpOverload):
        return node.target is operator.getitem
    schema = node.target._schema
    return (
        any(result.alias_info for result in schema.returns)
        or schema.name in SOMETIMES_VIEWS
    )


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
            same = first.setdefault(
                (node.op, node.target, str(node.args), str(node.kwargs)), node
            )
            if same is not node:
                node.replace_all_uses_with(same)


# --8<-- [end:shrink]
# --8<-- [start:fold]
def fold_constants(module, largest=4096):
    """Compute what depends on no input while compiling. Large results are left: they
    would stay in memory.
    """
    known = {}
    for node in list(module.graph.nodes):
        if node.op == "get_attr" and isinstance(
            getattr(module, node.target, None), torch.Tensor
        ):
            known[node] = getattr(module, node.target)
        constant = (
            node.op == "call_function"
            and is_pure(node)
            and all(used in known for used in node.all_input_nodes)
        )
        value = node.meta.get("val")
        if (
            not constant
            or escapes(node)
            or not isinstance(value, torch.Tensor)
            or not value.numel() <= largest
        ):
            continue
        args, kwargs = torch.fx.map_arg((node.args, node.kwargs), known.__getitem__)
        # AOTAutograd is tracing: without this, the operator gets a tensor without data
        with _disable_current_modes():
            known[node] = node.target(*args, **kwargs)
        # a tensor that is only filled costs as little as a stored one
        if node.all_input_nodes:
            module.register_buffer(f"folded_{node.name}", known[node])
            with module.graph.inserting_before(node):
                stored = module.graph.get_attr(f"folded_{node.name}")
            stored.meta = node.meta
            known[stored] = known[node]
            node.replace_all_uses_with(stored)


# --8<-- [end:fold]
# --8<-- [start:rewrites]
def simpler(node):
    """Return what computes the same: an input, or an operator with its arguments.
    ``None`` if nothing does.

    Each rewrite holds for NaN, infinities and -0.0. x * 0 = 0 does not, nor does
    x + 0 = x: -0.0 + 0 is 0.0.
    """
    x, y, *_ = (*node.args, None, None)
    inner = (
        x.target if isinstance(x, torch.fx.Node) and x.op == "call_function" else None
    )
    match node.target:
        case aten.mul.Tensor | aten.div.Tensor if is_number(y, 1):
            return x
        case aten.sub.Tensor if (
            is_number(y, 0) and math.copysign(1, y) == 1 and not node.kwargs
        ):
            return x
        case aten.neg.default if inner is aten.neg.default:
            return x.args[0]
        case aten.alias.default | aten.detach.default:
            return x
        case prims.convert_element_type.default if x.meta["val"].dtype == y:
            return x
        case (
            aten.relu.default
            | aten.abs.default
            | aten.floor.default
            | aten.ceil.default
        ) if inner is node.target:
            return x
        case aten.abs.default if inner is aten.neg.default:
            return aten.abs.default, x.args[0]
        case aten.pow.Tensor_Scalar if is_number(y, 1):
            return x
        case aten.pow.Tensor_Scalar if (
            is_number(y, 2) and x.meta["val"].dtype == node.meta["val"].dtype
        ):
            return aten.mul.Tensor, x, x
        case aten.div.Tensor if (
            is_number(y) and y and math.frexp(y)[0] == 0.5 and 2**-99 < y < 2**99
        ):
            return aten.mul.Tensor, x, 1 / y  # exact for powers of two
        case aten.add.Tensor if (
            getattr(y, "target", None) is aten.neg.default and not node.kwargs
        ):
            return aten.sub.Tensor, x, y.args[0]
        case aten.sub.Tensor if (
            getattr(y, "target", None) is aten.neg.default and not node.kwargs
        ):
            return aten.add.Tensor, x, y.args[0]
    return None


def is_number(value, wanted=None):
    return type(value) in (int, float) and wanted in (None, value)


# --8<-- [end:rewrites]
def simplify(module):
    for node in list(module.graph.nodes):
        new = simpler(node) if node.op == "call_function" else None
        if isinstance(new, tuple):
            with module.graph.inserting_before(node):
                new, meta = module.graph.call_function(new[0], new[1:]), node.meta
            new.meta = meta
            node.replace_all_uses_with(new)
        elif isinstance(new, torch.fx.Node) and alike(new, node) and not escapes(node):
            node.replace_all_uses_with(new)


def alike(a, b):
    a, b = a.meta["val"], b.meta["val"]
    return (a.dtype, a.shape, a.stride()) == (b.dtype, b.shape, b.stride())


def optimize(module):
    """Run the passes until nothing changes."""
    before = None
    while before != (before := [node.format_node() for node in module.graph.nodes]):
        for one_pass in (fold_constants, simplify, merge_common, remove_dead_code):
            one_pass(module)
    module.recompile()
    return module


if __name__ == "__main__":
    from _step2_interpret import backend_of

    backend = backend_of(lambda module: print(optimize(module).code) or module.forward)
    torch.compile(lambda x: torch.sin(x) / 4 + torch.sin(x) ** 2 * 1, backend=backend)(
        torch.randn(3)
    )
