"""How a function uses a value that changes, and the remedy for that use, which the catalogue's table ``uses`` has."""

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from compile_lessons.facts.source import Location
from compile_lessons.findings.catalogue import catalogue
from compile_lessons.findings.guards import FailedGuard
from compile_lessons.findings.syntax import nodes_of

#: Functions that take a tensor in place of a number, those that take a size, and others that need the number itself.
_WITH_A_TENSOR = r"add|clamp(_max|_min)?|clip|div|lerp|masked_fill|maximum|minimum|mul|pow|sub|tensor|where"
_WITH_A_SIZE = (
    r"arange|broadcast_to|empty|expand|eye|narrow|new_(empty|ones|zeros)|ones|pad|randn?|repeat|roll|topk|zeros"
)
_WITH_A_NUMBER = r"chunk|dropout|one_hot|split|tensor_split|unfold"
#: Arguments that need the number itself, whatever the function is.
_NUMBERS = r"alpha|beta|delta|dim|dropout_p|eps|kernel_size|label_smoothing|momentum|p|scale|tau"
#: Functions that take a mask or a change of scores as a function.
_FLEX = ("flex_attention", "create_block_mask", "create_mask")
_MOD = re.compile(r"\.(mask|score)_mod\b")
#: Functions of Python's that return a number. The first three take a tensor, too.
_PYTHON = ("min", "max", "abs", "int", "float", "round", "math")
_OPERATIONS = (ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp)


def is_mask(guard: FailedGuard) -> bool:
    """Return whether a guard is on a value that a function given to FlexAttention reads."""
    return bool(_MOD.search(guard.raw)) or (guard.at is not None and _in_mask(guard.at))


def by_use(guard: FailedGuard, line: Location | None) -> FailedGuard:
    """Return the guard with the remedies for the uses of the value at ``line``, if they are known."""
    if not guard.cause.by_use:
        return guard
    uses = uses_of(guard.source, line) if line else []
    if _MOD.search(guard.raw) or (line and _in_mask(line)):
        uses = ["mask"]
    if not uses and re.search(rf"\b({_NUMBERS})$", guard.source):  # a library reads it: self.dropout.p
        uses = ["number"]
    if not uses:
        return guard
    lesson = guard.lesson if uses == ["counter"] else "dynamo/changing-numbers#what-the-argument-is-used-for"
    remedies = [catalogue().uses[use] for use in uses]
    remedy = remedies[0] if len(uses) == 1 else "; ".join(map("{}: {}".format, uses, remedies))
    return replace(guard, remedy=remedy.format(source=guard.source), lesson=lesson)


def _in_mask(line: Location) -> bool:
    """Return whether a line is in a function that is given to FlexAttention, as a ``mask_mod``, in its file."""
    nodes = nodes_of(line.file)
    calls = [node for node in nodes if isinstance(node, ast.Call) and _function(node) in _FLEX]
    given = {value.id for node in calls for value in ast.walk(node) if isinstance(value, ast.Name)}
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.Lambda)]
    around = [node for node in functions if node.lineno <= line.line <= (node.end_lineno or 0)]
    return bool(around) and getattr(around[-1], "name", "") in given


def uses_of(source: str, line: Location) -> list[str]:
    """Return the uses in the function at a line, two at most: those that limit the remedies most."""
    functions = [node for node in nodes_of(line.file) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    around = [node for node in functions if node.lineno <= line.line <= (node.end_lineno or 0)]
    names = set(re.findall(r"\w+", source)[-1:])

    def is_named(node: ast.AST) -> bool:
        """Return whether a node is the value: ``n``, ``self.n`` or ``config["n"]``."""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return node.slice.value in names
        return getattr(node, "id", getattr(node, "attr", None)) in names

    nodes = [*ast.walk(around[-1])] if around else []  # the innermost function is the last
    for node in nodes:
        if isinstance(node, ast.Assign) and _is_number(node.value, is_named) and any(map(is_named, ast.walk(node))):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    uses = {_use(node, parents, is_named) for node in nodes if is_named(node)}
    uses -= {"arithmetic"} if "counter" in uses else set()
    return [use for use in catalogue().uses if use in uses][:2]


def _is_number(node: ast.AST, is_named: Callable[[ast.AST], bool]) -> bool:
    """Return whether an expression has nothing in it but the value and constants."""
    if isinstance(node, ast.Call):
        return _function(node) in _PYTHON and all(_is_number(argument, is_named) for argument in node.args)
    if isinstance(node, (*_OPERATIONS, ast.IfExp)):
        return all(_is_number(child, is_named) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
    return isinstance(node, ast.Constant) or is_named(node)


def _use(node: ast.AST, parents: dict[ast.AST, ast.AST], is_named: Callable[[ast.AST], bool]) -> str:
    """Return how one mention of the value is used: what is around it tells."""
    if isinstance(getattr(node, "ctx", None), ast.Store):
        return "" if isinstance(node, ast.Name) else "counter"
    is_number, computes, keyword = True, False, ""
    while (parent := parents.get(node)) is not None and not isinstance(parent, ast.stmt | ast.JoinedStr):
        if isinstance(parent, ast.Slice):
            return "size"
        if isinstance(parent, ast.Subscript) and parent.slice is node and is_number:
            return "number" if isinstance(parent.ctx, ast.Store) else "index"
        if isinstance(parent, ast.IfExp) and parent.test is node:
            return "branch"
        if isinstance(parent, _OPERATIONS):
            is_number, computes = _is_number(parent, is_named), True
        elif isinstance(parent, ast.keyword):
            keyword = parent.arg or ""
        elif isinstance(parent, ast.Call) and node is not parent.func:
            use = _use_in_call(parent, keyword)
            if use in ("loop", "size") or (use and (is_number or keyword)):
                return use
            if _function(parent) not in _PYTHON:
                break
        node = parent
    if isinstance(parent, ast.If | ast.While | ast.Assert) and parent.test is node:
        return "branch"
    is_renamed = isinstance(parent, ast.Assign) and is_number  # the uses of its target count
    return "arithmetic" if (computes and not is_renamed) or isinstance(parent, ast.AugAssign) else ""


def _use_in_call(call: ast.Call, keyword: str) -> str:
    name = _function(call)
    of_torch = re.match(r"(torch|F|nn|functional)\.", ast.unparse(call.func))
    if name == "range" or name in _PYTHON[3:]:
        return "loop" if name == "range" else "python"
    if re.fullmatch(_NUMBERS, keyword) or re.fullmatch(_WITH_A_NUMBER, name):
        return "number"
    if re.fullmatch(_WITH_A_SIZE, name):
        return "size"
    return "arithmetic" if re.fullmatch(_WITH_A_TENSOR, name) else "number" if of_torch else ""


def _function(call: ast.Call) -> str:
    """Return the name of the function that is called; ``math`` for all of that module's."""
    if isinstance(call.func, ast.Attribute):
        return "math" if getattr(call.func.value, "id", "") == "math" else call.func.attr
    return getattr(call.func, "id", "")
