"""Step 4, part 3: a plan becomes a loop nest in C++."""

from functools import reduce

import torch
from _step4_ops import OPS, REDUCTIONS, TYPES, is_bf16, is_float, name_of


# --8<-- [start:expression]
def expression(node):
    """Return one operator as C++. Its operands are converted to the type that eager
    mode computes in.
    """
    name, dtype = name_of(node), node.meta["val"].dtype
    operands = node.args[: OPS[name].count("{}")]
    if name == "convert_element_type":
        # the only place where a value on its way is rounded to bfloat16
        operands = [f"{operands[0].name}_"]
        return (
            f"widen(narrow({operands[0]}))"
            if dtype == torch.bfloat16
            else f"{TYPES[dtype]}({operands[0]})"
        )
    common = common_dtype(operands) if dtype == torch.bool else dtype
    wanted = [
        torch.bool if name == "where" and x is operands[0] else common for x in operands
    ]
    return OPS[name].format(*map(operand, operands, wanted))


def common_dtype(operands):
    values = [x.meta["val"] if isinstance(x, torch.fx.Node) else x for x in operands]
    return reduce(
        torch.promote_types, (torch.result_type(values[0], value) for value in values)
    )


def operand(x, dtype):
    if isinstance(x, torch.fx.Node):
        same = (
            isinstance(x.meta["val"], torch.Tensor)
            and TYPES[x.meta["val"].dtype] == TYPES[dtype]
        )
        return f"{x.name}_" if same else f"{TYPES[dtype]}({x.name}_)"
    number = str(x).replace("inf", "INFINITY").replace("nan", "NAN")
    return f"{TYPES[dtype]}({number.lower() if isinstance(x, bool) else number})"


# --8<-- [end:expression]
# --8<-- [start:loops]
class Function:
    """The C++ of one plan, written line by line."""

    def __init__(self, name, plan):
        self.plan, self.kind = (
            plan,
            {x: TYPES[x.meta["val"].dtype] for x in (*plan.tensors, *plan.nodes)},
        )
        later = {
            x
            for node in plan.nodes
            for x in node.all_input_nodes
            if plan.ready.get(x, 9) < plan.when(node)
        }
        # needed again in a later pass
        self.kept = [x for x in plan.nodes if x in later and not plan.is_row(x)]
        self.rows = [(f"r{n}", *loop) for n, loop in enumerate(plan.rows)]
        self.columns = [(f"c{n}", *loop) for n, loop in enumerate(plan.columns)]
        width = " * ".join(size for size, _ in plan.columns) or "1"
        every = " * ".join(size for size, _ in plan.rows + plan.columns)
        # fewer elements are done before the other threads are awake
        self.parallel = f"if (parallel: {every} > 32768)"
        self.lines = [f'extern "C" void {name}({", ".join(self.parameters())}) {{']
        # sizes, by their names
        self.lines += {
            f"const int64_t {x.meta['val']} = {x.name}_;": 0 for x in plan.symbols
        }
        if self.rows:
            self.lines += [f"#pragma omp parallel {self.parallel}", "{"]
        for x in self.kept:
            self.lines.append(
                f"std::unique_ptr<{self.kind[x]}[]> "
                f"{x.name}_row(new {self.kind[x]}[{width}]);"
            )
        if self.rows:
            self.lines.append(
                "#pragma omp for"
                + f" collapse({len(self.rows)})" * (len(self.rows) > 1)
            )
            self.lines += map(head, self.rows)
        known = set(plan.scalars)
        for number in range(plan.passes):
            for node in plan.nodes:
                if (
                    plan.is_row(node)
                    and name_of(node) not in REDUCTIONS
                    and plan.ready[node] == number
                ):
                    self.compute(node, known, self.rows)
            self.write_pass(number, known)
        self.lines += ["}"] * (len(self.rows) + bool(self.rows) + 1)

    def parameters(self):
        for x in self.plan.tensors:
            kind = "uint16_t" if is_bf16(x) else self.kind[x]
            yield (
                f"{'const ' if x in self.plan.inputs else ''}"
                f"{kind}* __restrict {x.name}_ptr"
            )
        for x in self.plan.scalars:
            yield f"{'double' if is_float(x) else 'int64_t'} {x.name}_"

    def write_pass(self, number, known):
        """Write a loop over the columns: what is ready in it, and the reductions that
        it completes.
        """
        plan, inside = self.plan, set(known)
        nodes = [
            x for x in plan.nodes if not plan.is_row(x) and plan.ready[x] == number
        ]
        reductions = [
            x
            for x in plan.nodes
            if name_of(x) in REDUCTIONS and plan.ready[x] == number + 1
        ]
        if not nodes and not reductions:
            return
        clauses = ""
        for x in reductions:
            kind = (
                {"float": "double"}.get(self.kind[x], self.kind[x])
                if name_of(x) == "sum"
                else self.kind[x]
            )
            start = {"sum": "0", "amax": f"lowest<{kind}>", "amin": f"highest<{kind}>"}[
                name_of(x)
            ]
            self.lines.append(f"{kind} {x.name}_all = {start};")
            clauses += (
                f" reduction({'+' if name_of(x) == 'sum' else REDUCTIONS[name_of(x)]}: "
                f"{x.name}_all)"
            )
        for n, loop in enumerate(self.columns):
            innermost, outermost = n == len(self.columns) - 1, n == 0 and not self.rows
            words = ["parallel for"] * outermost + ["simd"] * innermost
            if words:
                self.lines.append(
                    f"#pragma omp {' '.join(words)}{clauses}"
                    f"{' ' + self.parallel if outermost else ''}"
                )
            self.lines.append(head(loop))
        if not self.columns:
            # a row of one element: no loop, but names of its own
            self.lines.append("{")
        for x in nodes:
            self.compute(x, inside, self.rows + self.columns)
            if x in self.kept:
                self.lines.append(f"{x.name}_row[{self.column()}] = {x.name}_;")
        for x in reductions:
            self.load(x, inside, self.rows + self.columns)
            total, value = f"{x.name}_all", f"{x.args[0].name}_"
            new = (
                f"{total} + {value}"
                if name_of(x) == "sum"
                else f"{REDUCTIONS[name_of(x)]}({value}, {total})"
            )
            self.lines.append(f"{total} = {new};")
        self.lines += ["}"] * (len(self.columns) or 1)
        for x in reductions:
            self.define(x, f"{x.name}_all", known, self.rows)

    def compute(self, node, known, loops):
        self.load(node, known, loops)
        self.define(node, expression(node), known, loops)

    def load(self, node, known, loops):
        for x in node.all_input_nodes:
            if x not in known:
                given = x in self.plan.inputs
                place = (
                    f"{x.name}_ptr[{index(x, loops)}]"
                    if given
                    else f"{x.name}_row[{self.column()}]"
                )
                place = f"widen({place})" if given and is_bf16(x) else place
                self.lines.append(f"const {self.kind[x]} {x.name}_ = {place};")
                known.add(x)

    def define(self, node, value, known, loops):
        self.lines.append(f"const {self.kind[node]} {node.name}_ = {value};")
        known.add(node)
        if node in self.plan.outputs:
            stored = f"narrow({node.name}_)" if is_bf16(node) else f"{node.name}_"
            self.lines.append(f"{node.name}_ptr[{index(node, loops)}] = {stored};")

    def column(self):
        """Return the number of the element in its row."""
        text = "0"
        for name, size, _ in self.columns:
            text = name if text == "0" else f"({text}) * {size} + {name}"
        return text


def head(loop):
    return f"for (int64_t {loop[0]} = 0; {loop[0]} < {loop[1]}; {loop[0]}++) {{"


def index(x, loops):
    strides = [(name, strides[x]) for name, _, strides in loops if strides[x] != "0"]
    return (
        " + ".join(
            name if stride == "1" else f"{name} * {stride}" for name, stride in strides
        )
        or "0"
    )


# --8<-- [end:loops]
