"""Where a file compiles and calls a name, as far as its text shows: options, contexts, threads.

What a file does under ``if __name__ == "__main__":``, or in functions that ``explain`` doesn't call, is only read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

#: Contexts that change what is compiled or computed, by the last part of their names.
_CONTEXTS = {
    "autocast",
    "device",
    "enable_grad",
    "inference_mode",
    "no_grad",
    "patch",
    "sdpa_kernel",
    "set_grad_enabled",
    "set_stance",
}
#: Methods that call their first argument in another thread, or their second.
_FIRST, _SECOND = {"submit", "map"}, {"run_in_executor"}
#: Names without which a file has no pool of threads: ``map`` and ``submit`` may be anything.
_POOLS = {"ThreadPoolExecutor", "ThreadPool"}


@dataclass(frozen=True)
class CompileSite:
    """A ``torch.compile(NAME, …)`` or ``NAME.compile(…)`` in the text."""

    line: int
    #: What is compiled, as it is written.
    what: str
    #: The names in it.
    names: frozenset[str]
    keywords: tuple[ast.keyword, ...]
    #: The name that the compiled callable gets; empty if it gets none.
    alias: str


@dataclass(frozen=True)
class CallSite:
    """A call of a name: the contexts around it, outermost first, and the line that starts the thread it is made in."""

    line: int
    contexts: tuple[ast.expr, ...] = ()
    thread: int | None = None

    @property
    def way(self) -> tuple[tuple[str, ...], bool]:
        """What distinguishes calls."""
        return tuple(ast.unparse(context) for context in self.contexts), self.thread is not None


@dataclass(frozen=True)
class _Call:
    line: int
    function: str
    contexts: tuple[ast.expr, ...]


class Sites:
    """The compiles, calls and threads in a file."""

    def __init__(self, tree: ast.Module) -> None:
        self.compiles: list[CompileSite] = []
        self._calls: dict[str, list[_Call]] = {}
        self._threads: dict[str, int] = {}
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.alias)}
        self._has_pool = bool(names & _POOLS)
        #: The dotted names in the file, those of imports with their modules.
        self.names = set(_dotted_names(tree))
        self._visit(tree, "", ())

    def calls(self, names: Sequence[str]) -> list[CallSite]:
        """Return the ways in which any of ``names`` is called: the first call of each way."""
        found = [site for name in names for site in self._resolved([name], (name,))]
        return list({site.way: site for site in sorted(found, key=lambda site: -site.line)}.values())[::-1]

    def _resolved(self, keys: Sequence[str], seen: tuple[str, ...]) -> Iterator[CallSite]:
        yield from (CallSite(self._threads[key], (), self._threads[key]) for key in keys if key in self._threads)
        for call in (call for key in keys for call in self._calls.get(key, [])):
            callers = []
            if call.function and call.function not in seen:
                both = [call.function, f".{call.function}"]
                callers = list(self._resolved(both, (*seen, call.function)))
            for caller in callers or [CallSite(call.line)]:
                yield CallSite(call.line, caller.contexts + call.contexts, caller.thread)

    def _visit(self, node: ast.AST, function: str, contexts: tuple[ast.expr, ...]) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function, contexts = node.name, tuple(filter(_is_context, node.decorator_list))
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                self._visit(item, function, contexts)
            contexts += tuple(item.context_expr for item in node.items if _is_context(item.context_expr))
            for statement in node.body:
                self._visit(statement, function, contexts)
            return
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            self._compile(node.value, ast.unparse(targets[0]))
        elif isinstance(node, ast.Call):
            self._call(node, function, contexts)
        for child in ast.iter_child_nodes(node):
            self._visit(child, function, contexts)

    def _call(self, node: ast.Call, function: str, contexts: tuple[ast.expr, ...]) -> None:
        self._compile(node, "")
        call = _Call(node.lineno, function, contexts)
        for key in _keys(node.func):
            self._calls.setdefault(key, []).append(call)
        if (made := _compiled(node.func)) is not None:  # torch.compile(step)(x)
            self._calls.setdefault(at_once(made), []).append(call)
        for target in self._thread_targets(node):
            for key in _keys(target):
                self._threads.setdefault(key, node.lineno)

    def _thread_targets(self, node: ast.Call) -> Iterator[ast.expr]:
        last = _last(node.func)
        if last == "Thread":
            yield from (keyword.value for keyword in node.keywords if keyword.arg == "target")
        if last in _FIRST and self._has_pool and node.args:
            yield node.args[0]
        if last in _SECOND and len(node.args) > 1:
            yield node.args[1]

    def _compile(self, node: ast.Call, alias: str) -> None:
        what = _compiled(node)
        if what is None or any(site.line == node.lineno and site.what == what for site in self.compiles):
            return
        names = frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name)) | {what}
        self.compiles.append(CompileSite(node.lineno, what, names, tuple(node.keywords), alias))


def _dotted_names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            yield ast.unparse(node)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.FunctionDef):
            yield node.name


def at_once(what: str) -> str:
    """Return the name under which ``calls`` finds the calls of what is compiled and called in one expression."""
    return f"torch.compile({what})"


def _compiled(node: ast.expr) -> str | None:
    """Return what ``torch.compile(…)`` or ``module.compile()`` compiles, as written; ``None`` for other nodes."""
    if not isinstance(node, ast.Call) or _last(node.func) != "compile" or not isinstance(node.func, ast.Attribute):
        return None
    if ast.unparse(node.func.value) == "torch":
        return ast.unparse(node.args[0]) if node.args else None
    return None if node.args else ast.unparse(node.func.value)


def _keys(node: ast.expr) -> list[str]:
    """Return what a callee is found by: as written, and for a method ``.name``, whatever the object is called."""
    return [ast.unparse(node), f".{node.attr}"] if isinstance(node, ast.Attribute) else [ast.unparse(node)]


def _is_context(node: ast.expr) -> bool:
    return _last(node.func if isinstance(node, ast.Call) else node) in _CONTEXTS


def _last(node: ast.expr) -> str:
    """Return the last part of a dotted name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
