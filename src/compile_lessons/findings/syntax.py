"""The user's file as syntax."""

import ast

from compile_lessons.facts.source import Location, source_lines
from compile_lessons.ground.reading import dotted_names, parse


def nodes_of(file: str) -> list[ast.AST]:
    """Return the nodes of a file, what is outside first; none of a file that can't be read as Python."""
    try:
        return list(ast.walk(parse("".join(source_lines(file)))))
    except SyntaxError:
        return []


def names_in(file: str) -> set[str]:
    """Return the dotted names in a file; none of a file that can't be read as Python."""
    try:
        return dotted_names(parse("".join(source_lines(file))))
    except SyntaxError:
        return set()


def class_statement(line: Location) -> ast.ClassDef | None:
    """Return the class statement in a function whose first lines, with those of its decorators, have the line."""
    nodes = nodes_of(line.file)
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in (node for function in functions for node in ast.walk(function) if isinstance(node, ast.ClassDef)):
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        if first <= line.line < max(node.lineno + 1, node.body[0].lineno):
            return node
    return None
