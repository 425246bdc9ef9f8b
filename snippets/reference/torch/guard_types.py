"""Every guard that Dynamo can install."""

import inspect

from torch._dynamo.guards import GuardBuilder

from compile_lessons import Listing, show

rows = []
for name, function in inspect.getmembers(GuardBuilder, inspect.isfunction):
    if name.isupper():
        words = (inspect.getdoc(function) or "").split("\n\n")[0]
        line = inspect.getsourcelines(function)[1]
        rows.append([name, " ".join(words.split()), f"torch/_dynamo/guards.py:{line}"])
show(Listing(["guard", "what its documentation says", "where"], rows))
count = len(rows)
# region checks
assert {"TENSOR_MATCH", "SHAPE_ENV", "ID_MATCH", "EQUALS_MATCH"} <= {name for name, *_ in rows}
# endregion
