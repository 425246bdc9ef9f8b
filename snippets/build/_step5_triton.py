"""Step 5, part 1: a plan becomes a Triton kernel. A row stays in registers, so it is
read once and written once.
"""

import torch
from _step4_cpp import common_dtype
from _step4_ops import OPS, REDUCTIONS, claims, name_of, reduced_dims

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
    large, x2 = (1 - e) / (1 + e), x * x
    small = x * (1 - x2 * (1 / 3 - x2 * (2 / 15 - x2 * (17 / 315))))  # where 1 - e would lose digits
    return where(abs(x) < 0.1, small, where(x < 0, -large, large))
"""
for name in ("abs", "ceil", "cos", "erf", "exp", "floor", "log", "sin", "sqrt"):
    PRELUDE += f"\n\n@triton.jit\ndef {name}(x):\n    return tl.{name}(x)\n"
OPERATORS = {
    name: text
    for name, text in OPS.items()
    if name not in ("expm1", "log1p", "trunc", "pow", "isnan")
}
TYPES = {
    torch.float32: "tl.float32",
    torch.bfloat16: "tl.float32",
    torch.bool: "tl.int1",
}
TYPES |= {torch.int32: "tl.int32", torch.int64: "tl.int64"}
LONGEST_ROW = 16384
# --8<-- [end:prelude]


# --8<-- [start:claims]
def claims_triton(node, device):
    if not claims(node, device, OPERATORS) or any(
        x.meta["val"].dtype == torch.float64 for x in (node, *node.all_input_nodes)
    ):
        return False
    row = (
        node.args[0].meta["val"].shape[-reduced_dims(node) :]
        if name_of(node) in REDUCTIONS
        else ()
    )
    return (
        all(isinstance(size, int) for size in row)
        and torch.Size(row).numel() <= LONGEST_ROW
    )


def is_double(x):
    return (
        isinstance(x.meta["val"], torch.Tensor) and x.meta["val"].dtype == torch.float64
    )


# --8<-- [end:claims]
# --8<-- [start:kernel]
def expression(node):
    """Return one operator in Triton."""
    name, dtype = name_of(node), node.meta["val"].dtype
    operands = node.args[: OPS[name].count("{}")]
    if name == "convert_element_type":
        rounded = f"{operands[0].name}_" + ".to(tl.float32).to(tl.bfloat16)" * (
            dtype == torch.bfloat16
        )
        return (
            f"({rounded} != 0)"
            if dtype == torch.bool
            else f"{rounded}.to({TYPES[dtype]})"
        )
    common = common_dtype(operands) if dtype == torch.bool else dtype
    wanted = [
        torch.bool if name == "where" and x is operands[0] else common for x in operands
    ]
    return OPS[name].format(*map(operand, operands, wanted))


def operand(x, dtype):
    if not isinstance(x, torch.fx.Node):
        return f'float("{x}")' if str(x).strip("-") in ("inf", "nan") else f"({x})"
    if not isinstance(x.meta["val"], torch.Tensor):
        return f"{x.name}_"
    return (
        f"{x.name}_"
        if TYPES[x.meta["val"].dtype] == TYPES[dtype]
        else f"{x.name}_.to({TYPES[dtype]})"
    )


def kernel(name, plan):
    """Return a plan's Triton kernel: a tile of rows and columns, or a block of elements
    without a reduction.
    """
    rows, columns = (
        [(f"r{n}", *x) for n, x in enumerate(plan.rows)],
        [(f"c{n}", *x) for n, x in enumerate(plan.columns)],
    )
    given = [f"{x.name}_ptr" for x in plan.tensors] + [
        f"{x.name}_" for x in plan.scalars
    ]
    lines = [
        "@triton.jit",
        f"def {name}({', '.join(given)}, ROWS: tl.constexpr, COLUMNS: tl.constexpr):",
    ]
    lines += [f"    {x.meta['val']} = {x.name}_" for x in plan.symbols] + [
        "    program = tl.program_id(0).to(tl.int64)"
    ]
    if plan.reduces:
        lines += [
            "    row = program * ROWS + tl.arange(0, ROWS)[:, None]",
            "    column = tl.arange(0, COLUMNS)[None, :]",
        ]
        lines += [
            f"    row_mask = row < {product(rows)}",
            f"    mask = row_mask & (column < {product(columns)})",
        ]
        lines += [*split("row", rows), *split("column", columns)]
    else:
        lines += [
            "    element = program * COLUMNS + tl.arange(0, COLUMNS)",
            f"    mask = element < {product(rows + columns)}",
        ]
        lines += split("element", rows + columns)
    lines.append(
        f"    zero = {'row * 0 + column * 0' if plan.reduces else 'element * 0'}"
    )
    known = set(plan.scalars)
    for node in plan.nodes:
        for x in node.all_input_nodes:
            if x not in known:
                known.add(x)
                pointer, used_mask = place(x, rows + columns, columns, plan.reduces)
                lines.append(
                    f"    {x.name}_ = tl.load({pointer}, {used_mask})"
                    f".to({TYPES[x.meta['val'].dtype]})"
                )
        known.add(node)
        lines.append(
            f"    {node.name}_ = "
            f"{reduction(node) if name_of(node) in REDUCTIONS else expression(node)}"
        )
        if node in plan.outputs:
            pointer, used_mask = place(node, rows + columns, columns, plan.reduces)
            lines.append(f"    tl.store({pointer}, {node.name}_, {used_mask})")
    return "\n".join(lines)


def reduction(node):
    x = node.args[0]
    if name_of(node) == "sum":
        return (
            f"tl.sum(where(mask, {x.name}_, 0).to({TYPES[node.meta['val'].dtype]}), "
            "axis=1, keep_dims=True)"
        )
    dtype, sign = x.meta["val"].dtype, "-" if name_of(node) == "amax" else ""
    rest = (
        f'{sign}float("inf")'
        if dtype.is_floating_point
        else f"{sign}{torch.iinfo(dtype).max}"
    )
    return (
        f"tl.reduce(where(mask, {x.name}_, {rest}), 1, {REDUCTIONS[name_of(node)]}, "
        "keep_dims=True)"
    )


def place(x, loops, columns, reduces):
    """Return pointer and mask of a tensor, for the whole tile or, without columns, one
    element per row.
    """
    terms = [
        f"{name} * {strides[x]}" for name, _, strides in loops if strides[x] != "0"
    ]
    wide = not reduces or any(strides[x] != "0" for *_, strides in columns)
    shape, mask = ("zero", "mask") if wide else ("row * 0", "row_mask")
    return " + ".join([f"{x.name}_ptr", *terms, shape]), mask


def split(name, loops):
    """Return the lines that compute each loop's index from the number of an element."""
    for number, (index, size, _) in enumerate(loops):
        inner = product(loops[number + 1 :])
        yield (
            f"    {index} = {name}"
            + f" // ({inner})" * (inner != "1")
            + f" % {size}" * (number > 0)
        )


def product(loops):
    return " * ".join(size for _, size, _ in loops) or "1"


# --8<-- [end:kernel]
