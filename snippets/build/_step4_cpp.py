"""Step 4, part 4: a plan becomes a loop nest in C++."""

import torch
from _step4_ops import (
    OPS,
    REDUCTIONS,
    TYPES,
    is_bf16,
    is_float,
    is_reduction,
    name_of,
    typed_operands,
)
from _step4_plan import product

#: The value that a reduction begins with.
START = {"sum": "0", "amax": "lowest<{}>", "amin": "highest<{}>"}


# --8<-- [start:expression]
def expression(node):
    """Return one operator as C++. Its operands are converted to the type that eager
    mode computes in.
    """
    if name_of(node) == "convert_element_type":
        return converted(f"{node.args[0].name}_", node.meta["val"].dtype)
    operands = [operand(x, dtype) for x, dtype in typed_operands(node)]
    return OPS[name_of(node)].format(*operands)


def converted(value, dtype):
    if dtype == torch.bfloat16:
        # the only place where a value on its way is rounded to bfloat16
        return f"widen(narrow({value}))"
    return f"{TYPES[dtype]}({value})"


def operand(x, dtype):
    if isinstance(x, torch.fx.Node):
        value = x.meta["val"]
        same = torch.is_tensor(value) and TYPES[value.dtype] == TYPES[dtype]
        return f"{x.name}_" if same else f"{TYPES[dtype]}({x.name}_)"
    number = str(x).replace("inf", "INFINITY").replace("nan", "NAN")
    if isinstance(x, bool):
        number = number.lower()
    return f"{TYPES[dtype]}({number})"


# --8<-- [end:expression]
# --8<-- [start:function]
class Function:
    """The C++ of one plan, written line by line."""

    def __init__(self, name, plan):
        self.plan = plan
        values = (*plan.tensors, *plan.nodes)
        self.kind = {x: TYPES[x.meta["val"].dtype] for x in values}
        self.kept = self.needed_again()
        elements = product(plan.rows + plan.columns)
        # fewer elements are done before the other threads are awake
        self.parallel = f"if (parallel: {elements} > 32768)"
        self.lines = [f'extern "C" void {name}({", ".join(self.parameters())}) {{']
        self.write_body()
        self.lines.append("}")

    def needed_again(self):
        """Return the values that a later pass over the columns needs again."""
        plan = self.plan
        needed = set()
        for node in plan.nodes:
            for x in node.all_input_nodes:
                if x in plan.ready and plan.ready[x] < plan.when(node):
                    needed.add(x)
        return [x for x in plan.nodes if x in needed and not plan.is_row(x)]

    def parameters(self):
        for x in self.plan.tensors:
            const = "const " if x in self.plan.inputs else ""
            kind = "uint16_t" if is_bf16(x) else self.kind[x]
            yield f"{const}{kind}* __restrict {x.name}_ptr"
        for x in self.plan.scalars:
            yield f"{'double' if is_float(x) else 'int64_t'} {x.name}_"

    def write_body(self):
        plan = self.plan
        sizes = [f"const int64_t {x.meta['val']} = {x.name}_;" for x in plan.symbols]
        self.lines += dict.fromkeys(sizes)
        if plan.rows:
            self.lines += [f"#pragma omp parallel {self.parallel}", "{"]
        for x in self.kept:
            kind = self.kind[x]
            array = f"new {kind}[{product(plan.columns)}]"
            self.lines.append(f"std::unique_ptr<{kind}[]> {x.name}_row({array});")
        if plan.rows:
            count = len(plan.rows)
            collapse = f" collapse({count})" if count > 1 else ""
            self.lines.append(f"#pragma omp for{collapse}")
            self.lines += map(head, plan.rows)
        known = set(plan.scalars)
        for number in range(plan.passes):
            for node in plan.nodes:
                of_rows = plan.is_row(node) and not is_reduction(node)
                if of_rows and plan.ready[node] == number:
                    self.compute(node, known, plan.rows)
            self.write_pass(number, known)
        # of the loops, and of the block that runs in parallel
        self.lines += ["}"] * (len(plan.rows) + bool(plan.rows))

    # --8<-- [end:function]
    # --8<-- [start:pass]
    def write_pass(self, number, known):
        """Write a loop over the columns: what is ready in it, and the reductions that
        it completes.
        """
        plan = self.plan
        loops = plan.rows + plan.columns
        now = [x for x in plan.nodes if plan.when(x) == number]
        nodes = [x for x in now if not plan.is_row(x)]
        reductions = [x for x in now if is_reduction(x)]
        if not nodes and not reductions:
            return
        for x in reductions:
            kind = self.kind_of_total(x)
            start = START[name_of(x)].format(kind)
            self.lines.append(f"{kind} {x.name}_all = {start};")
        self.write_heads(reductions)
        inside = set(known)
        for x in nodes:
            self.compute(x, inside, loops)
            if x in self.kept:
                self.lines.append(f"{x.name}_row[{self.column()}] = {x.name}_;")
        for x in reductions:
            self.load(x, inside, loops)
            self.lines.append(f"{x.name}_all = {combined(x)};")
        self.lines += ["}"] * (len(plan.columns) or 1)
        for x in reductions:
            self.define(x, f"{x.name}_all", known, plan.rows)

    def write_heads(self, reductions):
        """Begin the loops over the columns."""
        plan = self.plan
        for loop in plan.columns:
            outermost = not plan.rows and loop is plan.columns[0]
            innermost = loop is plan.columns[-1]
            words = []
            if outermost:
                words.append("parallel for")
            if innermost:
                words.append("simd")
            if words:
                words += [clause(x) for x in reductions]
                if outermost:
                    words.append(self.parallel)
                self.lines.append(f"#pragma omp {' '.join(words)}")
            self.lines.append(head(loop))
        if not plan.columns:
            # a row of one element: no loop, but names of its own
            self.lines.append("{")

    def kind_of_total(self, node):
        """Return the type that a reduction adds up in."""
        kind = self.kind[node]
        return "double" if name_of(node) == "sum" and kind == "float" else kind

    # --8<-- [end:pass]
    # --8<-- [start:values]
    def compute(self, node, known, loops):
        self.load(node, known, loops)
        self.define(node, expression(node), known, loops)

    def load(self, node, known, loops):
        """Read the inputs of a node that the loop hasn't read yet."""
        for x in node.all_input_nodes:
            if x not in known:
                value = self.stored(x, loops)
                self.lines.append(f"const {self.kind[x]} {x.name}_ = {value};")
                known.add(x)

    def stored(self, x, loops):
        if x not in self.plan.inputs:
            return f"{x.name}_row[{self.column()}]"
        element = f"{x.name}_ptr[{index(x, loops)}]"
        return f"widen({element})" if is_bf16(x) else element

    def define(self, node, value, known, loops):
        """Give a value its name, and store it if it is an output."""
        self.lines.append(f"const {self.kind[node]} {node.name}_ = {value};")
        known.add(node)
        if node in self.plan.outputs:
            value = f"narrow({node.name}_)" if is_bf16(node) else f"{node.name}_"
            self.lines.append(f"{node.name}_ptr[{index(node, loops)}] = {value};")

    def column(self):
        """Return the number of the element in its row."""
        number = ""
        for loop in self.plan.columns:
            number = f"({number}) * {loop.size} + {loop.name}" if number else loop.name
        return number or "0"


def clause(node):
    combine = "+" if name_of(node) == "sum" else REDUCTIONS[name_of(node)]
    return f"reduction({combine}: {node.name}_all)"


def combined(node):
    total = f"{node.name}_all"
    value = f"{node.args[0].name}_"
    if name_of(node) == "sum":
        return f"{total} + {value}"
    return f"{REDUCTIONS[name_of(node)]}({value}, {total})"


def head(loop):
    return f"for (int64_t {loop.name} = 0; {loop.name} < {loop.size}; {loop.name}++) {{"


def index(x, loops):
    """Return the place of an element in a tensor's memory."""
    terms = []
    for loop in loops:
        stride = loop.strides[x]
        if stride == "1":
            terms.append(loop.name)
        elif stride != "0":
            terms.append(f"{loop.name} * {stride}")
    return " + ".join(terms) or "0"


# --8<-- [end:values]
