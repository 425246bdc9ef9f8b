# /// lesson
# needs = ["compiler"]
# timeout = 600
# varies.output = ['\d+\.\d+']
# varies.values = ["cold", "copied", "package"]
# ///
"""Start one model in several ways, each in a new process, and time the first result."""

import tempfile
from pathlib import Path

from _starts import prepare, run

from compile_lessons import Table, show

prepare()
folder = Path(tempfile.mkdtemp())
ways = [
    ("torch.compile", "first"),
    ("torch.compile", "copied"),
    ("load_cache_artifacts", "second"),
    ("aot_compile", "third"),
    ("aot_compile", "copied"),
    ("AOTInductor", "fourth"),
    ("AOTInductor", "copied"),
]
starts = [run(folder, way, name) for way, name in ways]
cold = starts[0]["seconds"]
rows = []
for start in starts:
    times = [f"{start['seconds']:.2f}", f"{start['seconds'] / cold:.2f}"]
    counts = [start["graphs"], start["hits"], start["kernels"]]
    rows.append([f"{start['way']}, {start['folder']}", *times, *counts])
columns = ["start, cache folder", "seconds", "of cold", "graphs traced", "hits"]
show(Table([*columns, "kernels compiled"], rows))

# region checks
copied = starts[1]["seconds"]
package = starts[6]["seconds"]
counts = [row[3:] for row in rows]
assert counts[:3] == [[1, 0, 1], [1, 1, 0], [1, 1, 1]]
assert counts[3:] == [[0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
# endregion
