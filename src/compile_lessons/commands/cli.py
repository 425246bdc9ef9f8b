"""Explain what torch.compile does with your own code, and practice."""

from importlib.metadata import version
from typing import Annotated

import typer

from compile_lessons.commands.diagnose import diagnose
from compile_lessons.commands.diff import diff
from compile_lessons.commands.explain import OneTarget, explain
from compile_lessons.commands.explore.command import OneFile, explore
from compile_lessons.commands.lab import app as lab
from compile_lessons.commands.supervise import supervised
from compile_lessons.ground.command_line import command_group, paragraphs
from compile_lessons.ground.printing import say
from compile_lessons.runs.machine import this_machine

app = command_group(__doc__)


def _print_versions(wanted: bool) -> None:
    if wanted:
        machine = this_machine()
        triton = f", triton {machine.triton}" if machine.triton else ""
        say(f"compile-lessons {version('compile-lessons')}, torch {machine.torch}{triton}, Python {machine.python}")
        raise typer.Exit


@app.callback()
def _options(
    versions: Annotated[
        bool, typer.Option("--version", callback=_print_versions, is_eager=True, help="Print the versions and exit.")
    ] = False,
) -> None: ...


app.command(cls=OneTarget, help=paragraphs(explain.__doc__))(supervised(explain))
app.command(cls=OneFile, help=paragraphs(explore.__doc__))(explore)
app.command(help=paragraphs(diagnose.__doc__), context_settings={"allow_interspersed_args": False})(diagnose)
app.command(help=paragraphs(diff.__doc__))(diff)
app.add_typer(lab, name="lab")
