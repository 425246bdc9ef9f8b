"""How long ``diagnose --trace`` takes for a large folder of many ranks, and how much memory.

``python benchmarks/diagnose_trace.py`` compiles a small model for training, with Inductor and several sizes, and copies
its trace until there are 1 GB of 16 ranks: what torch writes, and in the proportions in which it writes it. Each copy
has a process number and frame numbers of its own. The command that reads them is measured from its start to its end.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = """
import torch
torch.manual_seed(0)
layer = torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
model = torch.compile(torch.nn.TransformerEncoder(layer, 2), dynamic=False)
for length in (4, 5, 6, 7):
    model(torch.randn(2, length, 32)).sum().backward()
"""
_PID = re.compile(rb"(?m)^([A-Z]\d{4} [\d:.]+) \d+ ")
_FRAME = re.compile(rb'"frame_id": (\d+)')


def record(folder: Path) -> bytes:
    """Return the trace of the program."""
    subprocess.run([sys.executable, "-c", PROGRAM], env=os.environ | {"TORCH_TRACE": str(folder)}, check=True)
    (path,) = folder.glob("*.log")
    return path.read_bytes()


def fill(folder: Path, trace: bytes, size: int, ranks: int) -> int:
    """Write copies of the trace for each rank; return the bytes."""
    copies = max(1, size // ranks // len(trace))
    for rank in range(ranks):
        own = _PID.sub(rb"\1 %d " % (1000 + rank), trace)
        with (folder / f"dedicated_log_torch_trace_rank_{rank}_x.log").open("wb") as file:
            for copy in range(copies):
                file.write(_FRAME.sub(lambda match, copy=copy: b'"frame_id": %d' % (int(match[1]) + 100 * copy), own))
    return sum(path.stat().st_size for path in folder.iterdir())


def measure(command: list[str]) -> tuple[float, float, int]:
    """Run a command; return its seconds, those of the processor, and the most bytes of memory that it had."""
    began = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{command} ended with status {child.returncode}")
    return time.perf_counter() - began, used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=float, default=1.0, help="gigabytes")
    parser.add_argument("--ranks", type=int, default=16)
    parser.add_argument("--of", type=Path, help="a folder with one trace file, to copy instead of the program's")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as recorded, tempfile.TemporaryDirectory() as folder:
        trace = next(args.of.glob("*.log")).read_bytes() if args.of else record(Path(recorded))
        size = fill(Path(folder), trace, int(args.size * 1e9), args.ranks)
        print(f"{size / 1e9:.2f} GB of {args.ranks} ranks, load {os.getloadavg()[0]:.1f}", flush=True)
        for options in ([], ["--html", f"{recorded}/report.html"]):
            command = [sys.executable, "-m", "compile_lessons", "diagnose", *options, "--trace", folder]
            seconds, processor, most = measure(command)
            name = " ".join(["diagnose", *options[:1], "--trace"])
            print(f"{name}: {seconds:.1f} s, {processor:.1f} s of processor time, {most / 1e6:.0f} MB", flush=True)


if __name__ == "__main__":
    main()
