# /// lesson
# needs = ["compiler"]
# timeout = 600
# varies.output = ['\d+\.\d+']
# varies.values = ["warm", "artifacts", "cold"]
# ///
"""Start one model in several ways, each in a process of its own, and time the first result."""

import tempfile
from pathlib import Path

from _starts import prepare, run

from compile_lessons import Table, show

prepare()
folder = Path(tempfile.mkdtemp())
ways = [("torch.compile", "first"), ("torch.compile", "copied"), ("load_cache_artifacts", "second")]
ways += [("aot_compile", "third"), ("aot_compile", "copied"), ("AOTInductor", "fourth"), ("AOTInductor", "copied")]
starts = [run(folder, way, name) for way, name in ways]
cold, warm, artifacts = (start["seconds"] for start in starts[:3])
rows = [
    [
        f"{start['way']}, {start['folder']}",
        f"{start['seconds']:.2f}",
        f"{start['seconds'] / cold:.2f}",
        start["graphs"],
        start["hits"],
        start["kernels"],
    ]
    for start in starts
]
show(Table(["start, cache folder", "seconds", "of cold", "graphs traced", "hits", "kernels compiled"], rows))
# region checks
assert [row[3:] for row in rows] == [[1, 0, 1], [1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
# endregion
