"""The arguments and options of compile-lessons explain."""

import typer

from compile_lessons import Table, show
from compile_lessons.commands.explain import explain

app = typer.Typer()
app.command()(explain)

rows = []
for parameter in typer.main.get_command(app).params:
    if parameter.name in ("install_completion", "show_completion"):
        continue  # typer's own
    form = (
        " ".join([*parameter.opts, parameter.metavar or ""])
        if parameter.param_type_name == "option"
        else parameter.metavar
    )
    rows.append([form.strip(), parameter.help])
show(Table(["argument or option", "meaning"], rows))

# region checks
names = {row[0].split()[0] for row in rows}
assert {"FILE.py:NAME", "--inputs", "--calls", "--only", "--all"} <= names
assert {"--json", "--target"} <= names
# endregion
