"""Run a program under ``diagnose --profile-steps``, and print its table of kernels."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path


def print_limits(program, calls):
    """Print the table of kernels. Return the report's profile."""
    command = ["diagnose", "--cold", "--profile-steps", str(calls)]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "compile_lessons",
                *command,
                "--json",
                report,
                program,
            ],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=False,
        )
        profile = done.stderr.partition("Profile of")[2].partition("\n\n")[0]
        if not profile:
            raise RuntimeError(f"the report has no profile:\n{done.stderr}")
        print("$ compile-lessons", *command, program)
        print("Profile of" + profile)
        return json.loads(report.read_text())["profile"]


def share(profile, word):
    """Return the share of the GPU's limit of the kernels with this word in the name."""
    kernels = [work for work in profile["work"] if word in work["name"]]
    known = [work for work in kernels if work["least"] is not None]
    return sum(work["least"] for work in known) / sum(work["seconds"] for work in known)
