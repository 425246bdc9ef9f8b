"""Draw the last columns of a case study's table from its recording."""

import json
import re
from pathlib import Path

from compile_lessons.show.charts import StackedBars

KINDS = ["attention", "matrix", "layout", "fused", "other", "GPU idle"]


def bars(name):
    """Return the milliseconds of each step by kind of kernel, as bars."""
    recording = Path(__file__).with_name(f"{name}.recording.json").read_text()
    table = json.loads(recording)["outputs"][-1]["text"]
    header, line, *lines = table.splitlines()
    columns = [slice(*match.span()) for match in re.finditer("-+", line)]
    titles = [header[column].strip() for column in columns]
    times = []
    totals = []
    for line in lines:
        row = dict(
            zip(titles, [line[column].strip() for column in columns], strict=True)
        )
        times.append((row["step"], [float(row.get(kind, 0)) / 1e3 for kind in KINDS]))
        totals.append(float(row["time"].removesuffix(" ms")) / 1e3)
    return StackedBars(KINDS, times, totals)
