# /// lesson
# timeout = 300
# data = ["_model.py", "_train.py", "_test_model.py", "budget.txt"]
# varies.output = ['in [\d.]+s', '[\d.]+ m?s\b', '\(\d+%\)']
# ///
"""The tests pass, and a counter in forward fails both."""

from _project import change, new_project, run

folder = new_project()
before = run(folder, "pytest -q -p no:cacheprovider -W ignore")

# region change
change(
    folder,
    "        self.head = torch.nn.Linear(32, 4)",
    "        self.head = torch.nn.Linear(32, 4)\n        self.calls = 0",
)
change(
    folder,
    "        hidden = self.body(x).relu()",
    "        self.calls += 1\n        hidden = self.body(x).relu() / self.calls",
)
# endregion
after = run(folder, "pytest -q -p no:cacheprovider -W ignore")
# region checks
assert (before, after) == (0, 1)
# endregion
