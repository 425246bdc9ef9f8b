# /// lesson
# timeout = 300
# data = ["_model.py", "_train.py", "_test_model.py", "budget.txt"]
# varies.output = [
#     '[\d.]+ m?s\b',
#     'under 1 ms',
#     '\(\d+%\)',
#     '(?m)^(compile seconds|seconds \w+) .*$',
# ]
# ///
"""The budget passes, and a change that prints a value in forward fails it."""

from _project import change, new_project, run

folder = new_project()
budget = "--quick --fail-if @budget.txt"
before = run(folder, f"compile-lessons diagnose {budget} --json main.json train.py")

# region change
change(
    folder,
    "        return self.head(hidden)",
    '        print("mean", hidden.mean())\n        return self.head(hidden)',
)
# endregion
after = run(folder, f"compile-lessons diagnose {budget} --json change.json train.py")
new = run(folder, "compile-lessons diff main.json change.json")
# region checks
assert (before, after, new) == (0, 1, 1)
# endregion
