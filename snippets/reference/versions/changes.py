# /// lesson
# data = ["2.11.json", "2.12.json", "2.14.json", "2.15.json", "causes.toml"]
# ///
"""The causes of differences, and the snippets that show each."""

from _read import read, read_causes

from compile_lessons import Listing, show

causes = read_causes()
columns = ["what has changed", "torch", "where that is said", "snippets"]
show(
    Listing(
        columns,
        [
            [cause["what"], ", ".join(cause["versions"]), cause["source"], ", ".join(cause["snippets"])]
            for cause in causes
        ],
    )
)
# region checks
for cause in causes:
    shown = {name for version in cause["versions"] for name in read(version)["differences"]}
    assert set(cause["snippets"]) <= shown, cause["what"]
# endregion
