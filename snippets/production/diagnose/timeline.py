# /// lesson
# timeout = 300
# data = ["_train.py"]
# varies.output = ['(?ms)^ {10} .*']
# ///
"""The timeline of the training loop, as text and on a page."""

import subprocess
import sys
import tempfile
from pathlib import Path

from _diagnose import copy_program

folder = Path(tempfile.mkdtemp())
copy_program("train.py", folder)
command = "diagnose --quick --html report.html train.py"
words = [sys.executable, "-m", "compile_lessons", *command.split()]
done = subprocess.run(words, cwd=folder, capture_output=True, check=False, text=True)
timeline = done.stderr[done.stderr.index("Timeline") :].partition("\n\n")[0]
print(timeline)
# region checks
page = (folder / "report.html").read_text()
assert page.startswith("<!doctype html>")
assert "self.steps += 1" in page
lines = timeline.partition("---\n")[2].splitlines()
titles = [line[: line.index("  ")] for line in lines]
assert (titles[0], titles[-1]) == ("before the first call", "after the last call")
assert "<script" not in page  # scripts are in frames only
# endregion
