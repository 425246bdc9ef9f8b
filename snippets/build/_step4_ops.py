"""Step 4, part 1: the operators that a loop computes, and decompositions into these."""

import math
import re
from functools import reduce

import torch

aten = torch.ops.aten

# --8<-- [start:ops]
#: Operators as expressions, in a notation that C++ and Triton share.
OPS = {
    "add": "{} + {}",
    "sub": "{} - {}",
    "mul": "{} * {}",
    "div": "{} / {}",
    "fma": "{} * {} + {}",
    "neg": "-{}",
    "eq": "{} == {}",
    "ne": "{} != {}",
    "lt": "{} < {}",
    "le": "{} <= {}",
    "gt": "{} > {}",
    "ge": "{} >= {}",
    "logical_and": "({} != 0) & ({} != 0)",
    "logical_or": "({} != 0) | ({} != 0)",
    "logical_not": "{} == 0",
    "bitwise_and": "{} & {}",
    "bitwise_or": "{} | {}",
    "bitwise_xor": "{} ^ {}",
    "maximum": "maximum({}, {})",
    "minimum": "minimum({}, {})",
    "clamp_min": "maximum({}, {})",
    "clamp_max": "minimum({}, {})",
    "relu": "maximum({}, 0)",
    "where": "where({}, {}, {})",
    "reciprocal": "1 / {}",
    "rsqrt": "1 / sqrt({})",
    "sigmoid": "1 / (1 + exp(-{}))",
    "abs": "abs({})",
    "isnan": "isnan({})",
    "convert_element_type": "{}",
    "clone": "{}",
}
FUNCTIONS = ("exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "tanh", "erf")
ROUNDING = ("floor", "ceil", "trunc")
#: Operators that C++ has for floating-point numbers only.
MATH = {"pow": "pow({}, {})"}
for name in FUNCTIONS + ROUNDING:
    MATH[name] = name + "({})"
OPS |= MATH
#: Reductions, and the functions that combine two values.
REDUCTIONS = {"sum": "sum", "amax": "maximum", "amin": "minimum"}
#: The C++ types of values on their way; in memory, bfloat16 takes 16 bits.
TYPES = {
    torch.float32: "float",
    torch.float64: "double",
    torch.bfloat16: "float",
    torch.bool: "bool",
    torch.int32: "int32_t",
    torch.int64: "int64_t",
}


# --8<-- [end:ops]
# --8<-- [start:claims]
def claims(node, device="cpu", operators=OPS):
    """Whether a node can be part of a loop. Everything else runs in eager mode."""
    result = node.meta.get("val")
    inputs = [used.meta.get("val") for used in node.all_input_nodes]
    if not torch.is_tensor(result) or not any(map(torch.is_tensor, inputs)):
        return False
    if not all(fits(value, device) for value in (result, *inputs)):
        return False
    name = name_of(node)
    if name in REDUCTIONS:
        return not node.kwargs and reduced_dims(node) > 0 and result.dtype != torch.bool
    if name in MATH and not result.dtype.is_floating_point:
        return False
    if name not in operators or OPS[name].count("{}") > len(node.args):
        return False
    return set(node.kwargs) <= {"memory_format"}


def fits(value, device):
    """Whether a loop can use a value: a number, or a tensor whose sizes and strides are
    numbers, symbols, or products and sums of these.
    """
    if not torch.is_tensor(value):
        return isinstance(value, torch.SymInt | torch.SymFloat | int | float)
    if value.layout != torch.strided or value.device.type != device:
        return False
    for number in (*value.shape, *value.stride()):
        if not re.fullmatch(r"[\w+* ]+", str(number)) or "**" in str(number):
            return False
    return value.dtype in TYPES


def reduced_dims(node):
    """Return how many dimensions a reduction removes, which must be the last ones and
    stay as size 1; otherwise 0.
    """
    if len(node.args) < 3:
        return 0
    x, dims, keepdim = node.args
    rank = x.meta["val"].ndim
    if not (rank and dims and keepdim):
        return 0
    last_dims = list(range(rank - len(dims), rank))
    return len(dims) if sorted(dim % rank for dim in dims) == last_dims else 0


def name_of(node):
    """Return the name of a node's operator without its overload."""
    # private: the class of an operator
    if isinstance(node.target, torch._ops.OpOverload):
        return node.target.overloadpacket.__name__
    return ""


def is_reduction(node):
    return name_of(node) in REDUCTIONS


def is_bf16(node):
    return node.meta["val"].dtype == torch.bfloat16


def is_float(node):
    """Whether a scalar is a floating-point number, not an integer."""
    return isinstance(node.meta["val"], float | torch.SymFloat)


# --8<-- [end:claims]
# --8<-- [start:operands]
def typed_operands(node):
    """Return the operands of an operator, each with the dtype that it is used in."""
    operands = node.args[: OPS[name_of(node)].count("{}")]
    dtype = node.meta["val"].dtype
    if dtype == torch.bool:
        dtype = common_dtype(operands)  # as a comparison's operands have it
    dtypes = [dtype] * len(operands)
    if name_of(node) == "where":
        dtypes[0] = torch.bool
    return list(zip(operands, dtypes, strict=True))


def common_dtype(operands):
    values = [x.meta["val"] if isinstance(x, torch.fx.Node) else x for x in operands]
    dtypes = [torch.result_type(values[0], value) for value in values]
    return reduce(torch.promote_types, dtypes)


# --8<-- [end:operands]
# --8<-- [start:decompositions]
def on_rows(operator):
    """Have a reduction keep its dimensions as size 1; they are removed by a view."""

    def decomposed(x, dim=None, keepdim=False, **kwargs):
        dims = dims_of(x, dim)
        if dims and not keepdim and not kwargs:
            return aten.squeeze.dims(operator(x, dims, True), dims)
        return NotImplemented  # stays as it is

    return decomposed


def mean(x, dim=None, keepdim=False, **kwargs):
    dims = dims_of(x, dim)
    if kwargs or not (dims and x.is_floating_point()):
        return NotImplemented
    total = aten.sum.dim_IntList(x, dims, True)
    result = total / math.prod(x.shape[d] for d in dims)
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
    degrees_of_freedom = count - (1 if correction is None else correction)
    variance = squares / torch.sym_max(degrees_of_freedom, 0)
    results = []
    for value in (variance, average):
        result = value if keepdim else aten.squeeze.dims(value, dims)
        results.append(result.to(x.dtype))
    return tuple(results)


def var(*args, **kwargs):
    results = var_mean(*args, **kwargs)
    return results if results is NotImplemented else results[0]


def dims_of(x, dim):
    """Return the dimensions that an argument ``dim`` means, counted from the first."""
    if x.ndim == 0:
        return []
    dims = [dim] if isinstance(dim, int) else dim
    return [d % x.ndim for d in dims or range(x.ndim)]


DECOMPOSITIONS = {
    aten.mean.default: mean,
    aten.mean.dim: mean,
    aten.var.correction: var,
    aten.var_mean.correction: var_mean,
    aten.sum.default: on_rows(aten.sum.dim_IntList),
    aten.sum.dim_IntList: on_rows(aten.sum.dim_IntList),
    aten.amax.default: on_rows(aten.amax.default),
    aten.amin.default: on_rows(aten.amin.default),
}
# --8<-- [end:decompositions]
