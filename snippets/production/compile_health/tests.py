# /// lesson
# timeout = 300
# data = ["_model.py", "_train.py", "_test_model.py", "_test_program.py", "budget.txt"]
# varies.output = ['in [\d.]+s', '[\d.]+ m?s\b', '\(\d+%\)']
# ///
"""The tests pass, and a counter in forward fails two of them."""

from _project import change, new_project, run

folder = new_project()
before = run(folder, "pytest -q -p no:cacheprovider -W ignore")

# region change
change(
    folder,
    "        hidden = self.body(x).relu()",
    "        self.calls = getattr(self, 'calls', 0) + 1\n"
    "        hidden = self.body(x).relu() / self.calls",
)
# endregion
after = run(folder, "pytest -q -p no:cacheprovider -W ignore --tb=no")
# region checks
assert (before, after) == (0, 1)
# endregion
