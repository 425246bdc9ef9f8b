"""Find the reads of environment variables in a program."""

import ast


def reads(source):
    """Yield (variable, default) for each place that reads the environment."""
    tree = ast.parse(source)
    constants = {}  # LOG_ENV_VAR = "TORCH_LOGS"
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=constant)], value=ast.Constant(value=str(name))):
                constants[constant] = name

    def named(node):
        return constants.get(ast.unparse(node), ast.unparse(node))

    for node in ast.walk(tree):
        match node:
            case ast.Call(func=reader, args=[name, *rest]) if ast.unparse(reader) in ("os.environ.get", "os.getenv"):
                yield named(name), ast.unparse(rest[0]) if rest else ""
            case (
                ast.Subscript(value=ast.Attribute(attr="environ"), slice=name)
                | ast.Compare(left=name, comparators=[ast.Attribute(attr="environ")])
            ):
                yield named(name), ""
            case ast.keyword(arg="env_name_default" | "env_name_force", value=value):
                yield from ((ast.unparse(part), "") for part in ast.walk(value) if isinstance(part, ast.Constant))
