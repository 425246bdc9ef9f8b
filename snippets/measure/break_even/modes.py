# /// lesson
# needs = ["compiler"]
# data = ["_first.py"]
# varies.output = ['\d[\d.,]*', 'never|about']
# varies.values = ["eager_s", "aot_eager_s", "default_s", "first", "eager", "later", "calls"]
# ///
"""The first call of each setting, in a process of its own with empty caches, and the calls that pay for it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from compile_lessons import Table, show

program, rows, firsts = Path(__file__).with_name("_first.py"), [], []
for setting in ("eager", "aot_eager", "default"):
    with tempfile.TemporaryDirectory() as empty:
        # Without the precompiled header, which takes longer than the compile and is built once for all programs.
        settings = {"TORCHINDUCTOR_CACHE_DIR": empty, "TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS": "0"}
        environment = os.environ | settings
        command = [sys.executable, "-W", "ignore", str(program), setting]
        output = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout
    first, eager, later = map(float, output.split())
    firsts.append(first)
    calls = f"about {first * 1e6 / (eager - later):,.0f}" if later < eager else "never"
    rows.append([setting, f"{first:.2f} s", f"{eager:,.0f} µs", f"{later:,.0f} µs", calls])
show(Table(["setting", "first call", "eager call", "later call", "calls to break even"], rows))
eager_s, aot_eager_s, default_s = firsts
