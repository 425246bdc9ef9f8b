"""Step 4, part 1: the operators that a loop computes, and decompositions into these."""

import math
import re

import torch

aten = torch.ops.aten

# --8<-- [start:ops]
#: Operators as expressions, in a notation that C++ and Triton share.
OPS = {
    **{
        "add": "{} + {}",
        "sub": "{} - {}",
        "mul": "{} * {}",
        "div": "{} / {}",
        "fma": "{} * {} + {}",
        "neg": "-{}",
    },
    **{
        "eq": "{} == {}",
        "ne": "{} != {}",
        "lt": "{} < {}",
        "le": "{} <= {}",
        "gt": "{} > {}",
        "ge": "{} >= {}",
    },
    **{
        "logical_and": "({} != 0) & ({} != 0)",
        "logical_or": "({} != 0) | ({} != 0)",
        "logical_not": "{} == 0",
    },
    **{"bitwise_and": "{} & {}", "bitwise_or": "{} | {}", "bitwise_xor": "{} ^ {}"},
    **{
        "maximum": "maximum({}, {})",
        "minimum": "minimum({}, {})",
        "relu": "maximum({}, 0)",
    },
    **{
        "clamp_min": "maximum({}, {})",
        "clamp_max": "minimum({}, {})",
        "where": "where({}, {}, {})",
    },
    **{
        "reciprocal": "1 / {}",
        "rsqrt": "1 / sqrt({})",
        "sigmoid": "1 / (1 + exp(-{}))",
        "isnan": "isnan({})",
    },
    **{"convert_element_type": "{}", "clone": "{}", "abs": "abs({})"},
}
MATH = (
    "exp",
    "expm1",
    "log",
    "log1p",
    "sqrt",
    "sin",
    "cos",
    "tanh",
    "erf",
    "floor",
    "ceil",
    "trunc",
    "pow",
)
OPS |= {
    name: f"{name}({{}}, {{}})" if name == "pow" else f"{name}({{}})" for name in MATH
}
REDUCTIONS = {"sum": "sum", "amax": "maximum", "amin": "minimum"}
DTYPES = (
    torch.float32,
    torch.float64,
    torch.bfloat16,
    torch.int32,
    torch.int64,
    torch.bool,
)


#: The C++ types of values on their way; in memory, bfloat16 takes 16 bits.
TYPES = {
    torch.float32: "float",
    torch.float64: "double",
    torch.bfloat16: "float",
    torch.bool: "bool",
}
TYPES |= {torch.int32: "int32_t", torch.int64: "int64_t"}


# --8<-- [end:ops]
# --8<-- [start:claims]
def name_of(node):
    return (
        node.target.overloadpacket.__name__
        # private: the class of an operator
        if isinstance(node.target, torch._ops.OpOverload)
        else ""
    )


def claims(node, device="cpu", operators=OPS):
    """Whether a node can be part of a loop. Everything else runs in eager mode."""
    name, value = name_of(node), node.meta.get("val")
    values = [value, *(used.meta.get("val") for used in node.all_input_nodes)]
    tensors = [value for value in values if isinstance(value, torch.Tensor)]
    if not (
        isinstance(value, torch.Tensor)
        and len(tensors) > 1
        and all(plain(t, device) for t in tensors)
    ):
        return False
    if not all(
        isinstance(value, torch.Tensor | torch.SymInt | torch.SymFloat | int | float)
        for value in values
    ):
        return False
    if name in REDUCTIONS:
        return not node.kwargs and reduced_dims(node) > 0 and value.dtype != torch.bool
    if name in MATH and not value.dtype.is_floating_point:
        return False
    return (
        name in operators
        and OPS[name].count("{}") <= len(node.args)
        and set(node.kwargs) <= {"memory_format"}
    )


def is_bf16(x):
    return x.meta["val"].dtype == torch.bfloat16


def is_float(x):
    return isinstance(x.meta["val"], float | torch.SymFloat)


def plain(tensor, device):
    """Whether a tensor's sizes and strides are numbers, symbols, or products and sums
    of these.
    """
    exact = all(
        re.fullmatch(r"[\w+* ]+", str(n)) and "**" not in str(n)
        for n in (*tensor.shape, *tensor.stride())
    )
    return (
        exact
        and tensor.dtype in DTYPES
        and tensor.device.type == device
        and tensor.layout == torch.strided
    )


def reduced_dims(node):
    """Return how many dimensions a reduction removes, which must be the last ones and
    stay as size 1; otherwise 0.
    """
    x, dims, keepdim, *_ = (*node.args, None, None)
    rank = x.meta["val"].ndim
    dims = sorted(dim % rank for dim in dims or ()) if rank else []
    return len(dims) if keepdim and dims == list(range(rank - len(dims), rank)) else 0


# --8<-- [end:claims]
# --8<-- [start:decompositions]
def on_rows(operator):
    """Have a reduction keep its dimensions as size 1; they are removed by a view."""

    def decomposed(x, dim=None, keepdim=False, **kwargs):
        dims = dims_of(x, dim)
        if keepdim or kwargs or not dims:
            return NotImplemented  # stays as it is
        return aten.squeeze.dims(operator(x, dims, True), dims)

    return decomposed


def mean(x, dim=None, keepdim=False, **kwargs):
    dims = dims_of(x, dim)
    if kwargs or not dims or not x.is_floating_point():
        return NotImplemented
    result = aten.sum.dim_IntList(x, dims, True) / math.prod(x.shape[d] for d in dims)
    return result if keepdim else aten.squeeze.dims(result, dims)


def var_mean(x, dim=None, *, correction=1, keepdim=False):
    dims = dims_of(x, dim)
    if not dims or not x.is_floating_point():
        return NotImplemented
    wide = x.to(torch.float32) if x.dtype == torch.bfloat16 else x
    count = math.prod(x.shape[d] for d in dims)
    average = aten.sum.dim_IntList(wide, dims, True) / count
    centered = wide - average
    squares = aten.sum.dim_IntList(centered * centered, dims, True)
    results = (
        squares / torch.sym_max(count - (1 if correction is None else correction), 0),
        average,
    )
    return tuple(
        (r if keepdim else aten.squeeze.dims(r, dims)).to(x.dtype) for r in results
    )


def var(*args, **kwargs):
    results = var_mean(*args, **kwargs)
    return results if results is NotImplemented else results[0]


def dims_of(x, dim):
    return (
        [d % x.ndim for d in ([dim] if isinstance(dim, int) else dim) or range(x.ndim)]
        if x.ndim
        else []
    )


DECOMPOSITIONS = {
    aten.mean.default: mean,
    aten.mean.dim: mean,
    aten.var_mean.correction: var_mean,
}
DECOMPOSITIONS |= {
    aten.var.correction: var,
    aten.sum.default: on_rows(aten.sum.dim_IntList),
}
DECOMPOSITIONS |= {
    op: on_rows(op)
    for op in (aten.sum.dim_IntList, aten.amax.default, aten.amin.default)
}
# --8<-- [end:decompositions]
