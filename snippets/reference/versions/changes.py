# /// lesson
# data = ["2.11.json", "2.12.json", "2.14.json", "2.15.json", "causes.toml"]
# ///
"""The causes of differences, and the snippets that show each."""

from _read import read, read_causes

from compile_lessons import Listing, show

rows = []
for cause in read_causes():
    source = cause["source"].replace("https://github.com/pytorch/pytorch/pull/", "pytorch#")
    rows.append([", ".join(cause["versions"]), cause["what"], source, ", ".join(cause["snippets"])])
show(Listing(["torch", "what has changed", "where to read it", "snippets that show it"], rows, {}, "changes-"))

# region checks
for cause in read_causes():
    comparisons = [read(version) for version in cause["versions"]]
    # A snippet without a run under the version showed the difference before it was edited.
    shown = {name for comparison in comparisons for part in ("differences", "missing") for name in comparison[part]}
    assert set(cause["snippets"]) <= shown, cause["what"]
# endregion
