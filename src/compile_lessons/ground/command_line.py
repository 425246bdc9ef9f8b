"""A group of commands, as both command lines of the package have: the readers' and the authors'."""

from typing import Any

import typer
from typer.core import TyperArgument, TyperGroup

from compile_lessons.ground.printing import say
from compile_lessons.ground.project import ProjectError


class _Commands(TyperGroup):
    def invoke(self, ctx: Any) -> Any:
        """Run a command; what the reader can correct ends it with a message and status 2."""
        try:
            return super().invoke(ctx)
        except ProjectError as error:
            say(str(error), error=True)
            raise typer.Exit(2) from None

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command whose help names its arguments without Python's types, such as ``<list[str]>``."""
        command = super().get_command(ctx, cmd_name)
        for parameter in command.params if command else ():
            if isinstance(parameter, TyperArgument):
                parameter.display_type_rich = lambda ctx: None  # type: ignore[method-assign]
        return command


def command_group(help: str | None) -> typer.Typer:
    """Return a group without commands, whose help is plain text."""
    return typer.Typer(
        cls=_Commands,
        help=help,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )


def paragraphs(text: str | None) -> str:
    """Join the lines of each paragraph of a docstring: typer would keep their ends, from the second paragraph on."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in (text or "").split("\n\n"))
