"""The options of compile-lessons diagnose."""

import typer

from compile_lessons import Listing, show
from compile_lessons.commands.cli import app

command = typer.main.get_command(app).commands["diagnose"]
options = [item for item in command.params if item.opts[0].startswith("--")]
rows = [[item.opts[0], item.metavar or "", item.help] for item in options]
show(Listing(["option", "value", "what it does"], rows, prefix="option-"))
# region checks
values = {option: value for option, value, _ in rows}
assert values["--json"] == "OUT"
assert values["--steps"] == "N"
assert values["--quick"] == ""
# endregion
