"""Read the options of a config module of torch, with what its source says about each."""

import ast
import re
from pathlib import Path

VARIABLE = re.compile(r"""["']((?:TORCH|PYTORCH|TRITON|INDUCTOR|AOT)[A-Z]*_[A-Z0-9_]+)["']""")


def options(module):
    """Yield (name, default, environment variable, meaning) for each option, in the order of the file."""
    source = Path(module.__file__).read_text()
    lines = source.splitlines()
    defaults = module.get_config_copy()
    for name, node in _assignments(ast.parse(source).body):
        if name in defaults:
            variables = VARIABLE.findall("\n".join(lines[node.lineno - 1 : node.end_lineno]))
            default = repr(defaults[name])
            default = default if len(default) < 40 else f"{type(defaults[name]).__name__} of {len(default)} characters"
            yield name, default, ", ".join(dict.fromkeys(variables)), _comment(lines, node)


def _assignments(body, prefix=""):
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _assignments(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Name):
                yield prefix + target.id, node


def _comment(lines, node):
    """The comment lines right above an assignment, or next to it: the first two sentences."""
    first = node.lineno - 1
    above = first
    while above and lines[above - 1].strip().startswith("#"):
        above -= 1
    text = " ".join(line.strip().lstrip("#: ") for line in lines[above:first])
    if not text and "  # " in lines[node.end_lineno - 1]:
        text = lines[node.end_lineno - 1].split("  # ")[1]
    text = re.sub(r"(type: ignore|noqa|pyrefly)\S*.*|\[@compile_ignored: \w+\]|https://docs.google\S+", "", text)
    text = " ".join(text.split())
    return " ".join(re.split(r"(?<=[.!?]) (?=[A-Z])", text)[:2])
