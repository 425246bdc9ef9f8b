"""Commands of a snippet: shown after a $, and run by the same code as in a terminal."""

import typer

from compile_lessons.commands.explain import explain

_app = typer.Typer()
_app.command()(explain)


def typed(*arguments: str) -> int:
    """Run ``compile-lessons explain`` with these arguments; returns the exit status."""
    print("$ compile-lessons explain", *arguments, flush=True)
    return _app(arguments, standalone_mode=False) or 0
