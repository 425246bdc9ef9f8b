"""Find the reads of environment variables in a program."""

import ast

READERS = ("os.environ.get", "os.getenv")


def reads(source):
    """Yield (variable, default) for each place that reads the environment."""
    tree = ast.parse(source)
    constants = {}  # LOG_ENV_VAR = "TORCH_LOGS"
    for node in ast.walk(tree):
        match node:
            case ast.Assign([ast.Name(id=constant)], ast.Constant(value=str(name))):
                constants[constant] = name

    def named(node):
        return constants.get(ast.unparse(node), ast.unparse(node))

    for node in ast.walk(tree):
        match node:
            case ast.Call(reader, [name, *rest]) if ast.unparse(reader) in READERS:
                yield named(name), ast.unparse(rest[0]) if rest else ""
            case (
                ast.Subscript(value=ast.Attribute(attr="environ"), slice=name)
                | ast.Compare(left=name, comparators=[ast.Attribute(attr="environ")])
            ):
                yield named(name), ""
            case ast.keyword(arg="env_name_default" | "env_name_force", value=value):
                for part in ast.walk(value):
                    if isinstance(part, ast.Constant):
                        yield ast.unparse(part), ""
