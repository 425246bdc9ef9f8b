"""Step 5, part 1: a plan becomes a Triton kernel. A row stays in registers, so it is
read once and written once.
"""

import torch
from _step4_ops import (
    OPS,
    REDUCTIONS,
    claims,
    is_reduction,
    name_of,
    reduced_dims,
    typed_operands,
)
from _step4_plan import product

# --8<-- [start:prelude]
PRELUDE = """import triton
import triton.language as tl


@triton.jit
def where(condition, a, b):
    return tl.where(condition, a, b)


@triton.jit
def maximum(a, b):
    return where((a > b) | (a != a), a, b)  # NaN wins


@triton.jit
def minimum(a, b):
    return where((a < b) | (a != a), a, b)


@triton.jit
def tanh(x):
    e = exp(-2 * abs(x))
    large = (1 - e) / (1 + e)
    x2 = x * x
    # a series, where 1 - e would lose digits
    small = x * (1 - x2 * (1 / 3 - x2 * (2 / 15 - x2 * (17 / 315))))
    return where(abs(x) < 0.1, small, where(x < 0, -large, large))
"""
for name in ("abs", "ceil", "cos", "erf", "exp", "floor", "log", "sin", "sqrt"):
    PRELUDE += f"\n\n@triton.jit\ndef {name}(x):\n    return tl.{name}(x)\n"
OPERATORS = set(OPS) - {"expm1", "log1p", "trunc", "pow", "isnan"}
TYPES = {
    torch.float32: "tl.float32",
    torch.bfloat16: "tl.float32",
    torch.bool: "tl.int1",
    torch.int32: "tl.int32",
    torch.int64: "tl.int64",
}
LONGEST_ROW = 16384
# --8<-- [end:prelude]


# --8<-- [start:claims]
def claims_triton(node, device):
    """Whether a kernel can compute a node. A row has a fixed size, and isn't long."""
    if not claims(node, device, OPERATORS):
        return False
    if any(is_float64(x) for x in (node, *node.all_input_nodes)):
        return False
    if not is_reduction(node):
        return True
    row = node.args[0].meta["val"].shape[-reduced_dims(node) :]
    fixed = all(isinstance(size, int) for size in row)
    return fixed and row.numel() <= LONGEST_ROW


def is_float64(node):
    value = node.meta["val"]
    return torch.is_tensor(value) and value.dtype == torch.float64


# --8<-- [end:claims]
# --8<-- [start:kernel]
def kernel(name, plan):
    """Return a plan's Triton kernel: a tile of rows and columns, or a block of elements
    without a reduction.
    """
    tensors = [f"{x.name}_ptr" for x in plan.tensors]
    scalars = [f"{x.name}_" for x in plan.scalars]
    tile = ["ROWS: tl.constexpr", "COLUMNS: tl.constexpr"]
    parameters = ", ".join(tensors + scalars + tile)
    lines = [f"{x.meta['val']} = {x.name}_" for x in plan.symbols]
    lines.append("program = tl.program_id(0).to(tl.int64)")
    lines += rows_and_columns(plan) if plan.reduces else elements(plan)
    known = set(plan.scalars)
    for node in plan.nodes:
        for x in node.all_input_nodes:
            if x not in known:
                lines.append(load(x, plan))
                known.add(x)
        value = reduction(node) if is_reduction(node) else expression(node)
        lines.append(f"{node.name}_ = {value}")
        known.add(node)
        if node in plan.outputs:
            lines.append(store(node, plan))
    body = "\n    ".join(lines)
    return f"@triton.jit\ndef {name}({parameters}):\n    {body}"


def rows_and_columns(plan):
    return [
        "row = program * ROWS + tl.arange(0, ROWS)[:, None]",
        "column = tl.arange(0, COLUMNS)[None, :]",
        f"row_mask = row < {product(plan.rows)}",
        f"mask = row_mask & (column < {product(plan.columns)})",
        *split("row", plan.rows),
        *split("column", plan.columns),
        "zero = row * 0 + column * 0",
    ]


def elements(plan):
    loops = plan.rows + plan.columns
    return [
        "element = program * COLUMNS + tl.arange(0, COLUMNS)",
        f"mask = element < {product(loops)}",
        *split("element", loops),
        "zero = element * 0",
    ]


def split(name, loops):
    """Yield the lines that compute each loop's index from the number of an element."""
    for number, loop in enumerate(loops):
        inner = product(loops[number + 1 :])
        index = name if inner == "1" else f"{name} // ({inner})"
        if number > 0:
            index += f" % {loop.size}"
        yield f"{loop.name} = {index}"


def load(x, plan):
    pointer, mask = place(x, plan)
    return f"{x.name}_ = tl.load({pointer}, {mask}).to({TYPES[x.meta['val'].dtype]})"


def store(x, plan):
    pointer, mask = place(x, plan)
    return f"tl.store({pointer}, {x.name}_, {mask})"


def place(x, plan):
    """Return pointer and mask of a tensor, for the whole tile or, without columns, one
    element per row.
    """
    loops = [loop for loop in plan.rows + plan.columns if loop.strides[x] != "0"]
    terms = [f"{x.name}_ptr", *(f"{loop.name} * {loop.strides[x]}" for loop in loops)]
    # the zeros give a broadcast tensor as many pointers as the mask has elements
    one_per_row = not any(loop in plan.columns for loop in loops)
    if plan.reduces and one_per_row:
        return " + ".join([*terms, "row * 0"]), "row_mask"
    return " + ".join([*terms, "zero"]), "mask"


# --8<-- [end:kernel]
# --8<-- [start:expression]
def expression(node):
    """Return one operator in Triton."""
    if name_of(node) == "convert_element_type":
        return converted(f"{node.args[0].name}_", node.meta["val"].dtype)
    operands = [operand(x, dtype) for x, dtype in typed_operands(node)]
    return OPS[name_of(node)].format(*operands)


def converted(value, dtype):
    if dtype == torch.bool:
        return f"({value} != 0)"
    if dtype == torch.bfloat16:  # rounded, but kept in 32 bits
        value = f"{value}.to(tl.float32).to(tl.bfloat16)"
    return f"{value}.to({TYPES[dtype]})"


def operand(x, dtype):
    if not isinstance(x, torch.fx.Node):
        return f'float("{x}")' if str(x) in ("inf", "-inf", "nan") else f"({x})"
    value = x.meta["val"]
    same = not torch.is_tensor(value) or TYPES[value.dtype] == TYPES[dtype]
    return f"{x.name}_" if same else f"{x.name}_.to({TYPES[dtype]})"


def reduction(node):
    """Return a reduction over the columns, whose padding doesn't change the result."""
    name = name_of(node)
    x = node.args[0]
    if name == "sum":
        dtype = TYPES[node.meta["val"].dtype]
        return f"tl.sum(where(mask, {x.name}_, 0).to({dtype}), axis=1, keep_dims=True)"
    dtype = x.meta["val"].dtype
    largest = 'float("inf")' if dtype.is_floating_point else torch.iinfo(dtype).max
    padding = f"-{largest}" if name == "amax" else largest
    row = f"where(mask, {x.name}_, {padding})"
    return f"tl.reduce({row}, 1, {REDUCTIONS[name]}, keep_dims=True)"


# --8<-- [end:expression]
