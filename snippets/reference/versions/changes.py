# /// lesson
# data = ["2.11.json", "2.12.json", "2.14.json", "2.15.json", "causes.toml"]
# ///
"""The causes of differences, and the snippets that show each."""

from _read import read, read_causes

from compile_lessons import Listing, show

PULLS = "https://github.com/pytorch/pytorch/pull/"
rows = []
for cause in read_causes():
    versions = ", ".join(cause["versions"])
    source = cause["source"].replace(PULLS, "pytorch#")
    rows.append([versions, cause["what"], source, ", ".join(cause["snippets"])])
columns = ["torch", "what has changed", "where to read it", "snippets that show it"]
show(Listing(columns, rows, {}, "changes-"))

# region checks
for cause in read_causes():
    shown = set()
    for version in cause["versions"]:
        # One without a run under this version showed it before the program was edited.
        shown |= {*read(version)["differences"], *read(version)["missing"]}
    assert set(cause["snippets"]) <= shown, cause["what"]
# endregion
