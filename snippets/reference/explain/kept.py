"""A service raises the recompile limit, and its thread still has the default."""

from _command import typed

status = typed("snippets/reference/explain/_service.py:embed", "--only", "breaks")

# region checks
assert status == 0
# endregion
