# /// lesson
# data = ["2.14.json", "causes.toml"]
# ///
"""What differs under torch 2.14."""

from _read import list_differences, read

from compile_lessons import show

listing = list_differences("2.14")
show(listing)

differing = len(listing.rows)
# region checks
assert differing == len(read("2.14")["differences"])
assert all(cause for _, what, cause in listing.rows if what.startswith("fails"))
# endregion
