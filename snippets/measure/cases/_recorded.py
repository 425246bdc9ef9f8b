"""Draw the last columns of a case study's table from its recording."""

import json
import re
from pathlib import Path

from compile_lessons.show.charts import StackedBars

KINDS = ["attention", "matrix", "layout", "fused", "other", "GPU idle"]


def bars(name):
    """Return the milliseconds by kind of kernel of each step of ``name``, which a GPU has recorded, as bars."""
    recording = json.loads(
        Path(__file__).with_name(f"{name}.recording.json").read_text()
    )
    header, line, *steps = recording["outputs"][-1]["text"].splitlines()
    columns = [slice(*match.span()) for match in re.finditer("-+", line)]
    rows = [
        {header[column].strip(): row[column].strip() for column in columns}
        for row in [header, *steps]
    ][1:]
    times = [
        (row["step"], [float(row.get(kind, 0)) / 1e3 for kind in KINDS]) for row in rows
    ]
    return StackedBars(
        KINDS, times, [float(row["time"].removesuffix(" ms")) / 1e3 for row in rows]
    )
