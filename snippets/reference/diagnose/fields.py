"""The fields of the report as JSON."""

from compile_lessons import Listing, show
from compile_lessons.reports.json import FIELDS, SCHEMA

rows = [[path, meaning] for path, meaning in FIELDS.items()]
show(Listing(["field", "meaning"], rows, prefix="field-"))
# region checks
assert FIELDS["schema"].startswith(f"{SCHEMA}.")
# endregion
