# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""State in a buffer under CUDA graphs: change it in place, or get an error."""

from _state import outcome

from compile_lessons import Table, show


def add_in_place(model, x):
    model.total.add_(x)


def copy_in_place(model, x):
    model.total.copy_(model.total + x)


def write_by_index(model, x):
    model.total[:] = model.total + x


def assign(model, x):
    model.total = model.total + x


def assign_clone(model, x):
    model.total = (model.total + x).clone()


rows = []
for update in (add_in_place, copy_in_place, write_by_index, assign, assign_clone):
    results = [outcome(update), outcome(update, mark=True), outcome(update, train=True)]
    overwritten = results[0]
    cells = [
        "raises an error" if "overwritten" in result else result for result in results
    ]
    rows.append([update.__name__, *cells])
show(Table(["the model's update", "inference", "with a mark", "training"], rows))
print(f"the error: {overwritten}")
# region checks
assert overwritten.endswith("overwritten by a subsequent run")
in_place = [["right"] * 3] * 3
assigned = [["raises an error"] * 3] * 2
assert [row[1:] for row in rows] == in_place + assigned
# endregion
