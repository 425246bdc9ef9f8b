# /// lesson
# timeout = 300
# data = ["_train.py"]
# varies.output = ['(?ms)^ {10} .*']
# ///
"""The timeline of the training loop, as text and on a page."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from _diagnose import copy_program

from compile_lessons import show
from compile_lessons.show.charts import StackedBars

UNITS = {"s": 1, "ms": 1e-3, "µs": 1e-6}


def bars(lines):
    """Return the rows of the timeline as bars: seconds, and what they went into."""
    header, line, *rows = lines
    columns = [slice(*match.span()) for match in re.finditer("-+", line)]
    name, total, _, *parts = columns
    times = []
    for row in rows:
        number, unit = row[total].split()
        seconds = float(number) * UNITS[unit]
        shares = [row[part].strip(" %-") or "0" for part in parts]
        times.append((row[name].strip(), [seconds * int(s) / 100 for s in shares]))
    return StackedBars([header[part].strip() for part in parts], times)


folder = Path(tempfile.mkdtemp())
copy_program("train.py", folder)
command = "diagnose --quick --html report.html train.py"
words = [sys.executable, "-m", "compile_lessons", *command.split()]
done = subprocess.run(words, cwd=folder, capture_output=True, check=False, text=True)
timeline = done.stderr[done.stderr.index("Timeline") :].partition("\n\n")[0]
print(timeline)
show(bars(timeline.splitlines()[1:]))
# region checks
page = (folder / "report.html").read_text()
assert page.startswith("<!doctype html>")
assert "self.steps += 1" in page
lines = timeline.partition("---\n")[2].splitlines()
titles = [line[: line.index("  ")] for line in lines]
assert (titles[0], titles[-1]) == ("before the first call", "after the last call")
assert "<script" not in page  # scripts are in frames only
# endregion
