# /// lesson
# needs = ["compiler"]
# ///
"""An edit of a file in the cache stays: later runs of the program compute with it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from compile_lessons import Table, show

PROGRAM = """
import torch

def brighten(image):
    return (image / 255) ** (1 / 2.2)

image = torch.full((64, 64), 100.0)
print(f"{torch.compile(brighten)(image)[0, 0]:.3f}")
"""
cache = Path(tempfile.mkdtemp())


def run(**variables):
    variables = {"TORCHINDUCTOR_CACHE_DIR": str(cache), **variables}
    environment = {**os.environ, **variables}
    command = [sys.executable, "-c", PROGRAM]
    pipes = {"capture_output": True, "text": True}
    return subprocess.run(command, check=True, env=environment, **pipes).stdout.strip()


rows = [["first", run()]]
for file in cache.rglob("*.py"):
    code = file.read_text()
    file.write_text(code.replace("tmp3.pow(tmp5)", "tmp3.sqrt()"))
rows.append(["after the edit", run()])
no_caches = {"TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}
rows.append(["without caches", run(**no_caches)])
show(Table(["run of the program", "result"], rows))
# region checks
assert rows[0][1] == rows[2][1] == "0.653"
assert rows[1][1] == "0.626"
# endregion
