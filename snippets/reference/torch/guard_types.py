"""Every guard that Dynamo can install."""

import inspect

# private: the class has a method for each type of guard
from torch._dynamo.guards import GuardBuilder

from compile_lessons import Listing, show
from compile_lessons.findings.catalogue import catalogue
from compile_lessons.pipeline.guards import WORDS

words = WORDS | {
    "CONSTANT_SUBCLASS_MATCH": "equal value of its int, float or other constant type",
    "COUNT_ITERATOR_MATCH": "an itertools.count at the same number",
    "DTENSOR_SPEC_MATCH": "same mesh, placements and metadata of the DTensor",
    "FAKE_SCRIPT_TYPE_MATCH": "same type of the opaque object",
    "NOT_NONE_MATCH": "still not None",
    "OPAQUE_OBJ_GUARD_FN_MATCH": "the object's own guard function returns the same",
    "SET_CONTAINS": "the element is in the set",
    "SET_NOT_CONTAINS": "the element is not in the set",
    "SHAPE_ENV": "the conditions on sizes hold",
}


def first_paragraph(function):
    return " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())


rows = []
for name, function in inspect.getmembers(GuardBuilder, inspect.isfunction):
    if name.isupper():
        documentation = first_paragraph(function)
        quoted = f'in torch\'s words: "{documentation}"' if documentation else ""
        line = inspect.getsourcelines(function)[1]
        rows.append([name, "; ".join(filter(None, [words.get(name), quoted])), line])
show(Listing(["guard", "holds if", "line"], rows, catalogue().lessons))
count = len(rows)
# region checks
names = {name for name, *_ in rows}
assert {"TENSOR_MATCH", "SHAPE_ENV", "ID_MATCH", "EQUALS_MATCH"} <= names
# endregion
