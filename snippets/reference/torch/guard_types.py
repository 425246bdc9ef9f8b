"""Every guard that Dynamo can install."""

import inspect

from _lessons import LESSONS
from torch._dynamo.guards import GuardBuilder

from compile_lessons import Listing, show
from compile_lessons.pipeline.guards import WORDS

rows = []
for name, function in inspect.getmembers(GuardBuilder, inspect.isfunction):
    if name.isupper():
        words = (inspect.getdoc(function) or "").split("\n\n")[0]
        line = inspect.getsourcelines(function)[1]
        holds = WORDS.get(name, "")
        rows.append([name, " ".join(words.split()), holds, line])
show(Listing(["guard", "what its documentation says", "holds if", "line of guards.py"], rows, LESSONS))
count = len(rows)
# region checks
assert {"TENSOR_MATCH", "SHAPE_ENV", "ID_MATCH", "EQUALS_MATCH"} <= {name for name, *_ in rows}
# endregion
