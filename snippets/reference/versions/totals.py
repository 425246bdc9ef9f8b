# /// lesson
# data = ["2.11.json", "2.12.json", "2.14.json", "2.15.json", "causes.toml"]
# ///
"""How many snippets, values and outputs are the same under a different torch."""

from _read import VERSIONS, read

from compile_lessons import Table, show

COLUMNS = [
    "torch",
    "snippets run",
    "that hold",
    "values compared",
    "that differ",
    "outputs that differ",
]
rows = []
for version in VERSIONS:
    comparison = read(version)
    differences = comparison["differences"].values()
    failed = sum("failure" in difference for difference in differences)
    values = sum(len(difference.get("values", {})) for difference in differences)
    outputs = sum("lines" in difference for difference in differences)
    snippets = comparison["snippets"]
    row = [comparison["torch"], snippets, snippets - failed]
    rows.append([*row, comparison["values"], values, outputs])
show(Table(COLUMNS, rows))

site = read("2.15")["before"].partition("+")[0]
newest, compared, hold = rows[-1][:3]
# region checks
assert all(row[2] > 0.85 * row[1] for row in rows)
# endregion
