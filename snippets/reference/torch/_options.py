"""Read the options of a config module of torch, and what its source says about each."""

import ast
import re
from pathlib import Path

PREFIX = r"(?:TORCH|PYTORCH|TRITON|INDUCTOR|AOT)[A-Z]*_"
VARIABLE = re.compile(rf"""["']({PREFIX}[A-Z0-9_]+)["']""")
NO_COMMENT = re.compile(
    r"(type: ignore|noqa|pyrefly)\S*.*"
    r"|\[@compile_ignored: \w+\]"
    r"|https://docs.google\S+"
)


def options(module):
    """Yield (name, default, environment variable, meaning), in the file's order."""
    source = Path(module.__file__).read_text()
    lines = source.splitlines()
    defaults = module.get_config_copy()
    for name, node in _assignments(ast.parse(source).body):
        if name in defaults:
            code = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            variables = dict.fromkeys(VARIABLE.findall(code))
            default = _short(defaults[name])
            yield name, default, ", ".join(variables), _comment(lines, node)


def _short(value):
    text = repr(value)
    if len(text) < 40:
        return text
    return f"{type(value).__name__} of {len(text)} characters"


def _assignments(body, prefix=""):
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _assignments(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Name):
                yield prefix + target.id, node


def _comment(lines, node):
    """Return two sentences of the comment above an assignment, or next to it."""
    first = node.lineno - 1
    above = first
    while above and lines[above - 1].strip().startswith("#"):
        above -= 1
    text = " ".join(line.strip().lstrip("#: ") for line in lines[above:first])
    if not text and "  # " in lines[node.end_lineno - 1]:
        text = lines[node.end_lineno - 1].split("  # ")[1]
    text = " ".join(NO_COMMENT.sub("", text).split())
    return " ".join(re.split(r"(?<=[.!?]) (?=[A-Z])", text)[:2])
