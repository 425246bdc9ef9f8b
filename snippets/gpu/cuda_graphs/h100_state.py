# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""State in a buffer under CUDA graphs: changing the buffer in place works, assigning a new tensor raises an error."""

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
    outcomes = [outcome(update), outcome(update, mark=True), outcome(update, train=True)]
    overwritten = outcomes[0]
    rows.append([update.__name__, *("raises an error" if "overwritten" in cell else cell for cell in outcomes)])
show(Table(["the model's update", "inference", "with a mark", "training"], rows))
print(f"the error: {overwritten}")
# region checks
assert overwritten.endswith("overwritten by a subsequent run")
assert [row[1:] for row in rows] == [["right"] * 3] * 3 + [["raises an error"] * 3] * 2
# endregion
