# /// lesson
# data = ["2.12.json", "causes.toml"]
# ///
"""What differs under torch 2.12."""

from _read import list_differences, read

from compile_lessons import show

listing = list_differences("2.12")
show(listing)

differing = len(listing.rows)
# region checks
assert differing == len(read("2.12")["differences"])
assert all(cause for _, what, cause in listing.rows if what.startswith("fails"))
# endregion
