"""A command that has torch loaded and runs snippets for a server, so that an edit need not wait for torch."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from compile_lessons.ground.processes import start
from compile_lessons.ground.project import Project

RUN = (sys.executable, "-m", "compile_lessons.course", "run")


class StandBy:
    """``python -m compile_lessons.course run --stand-by``. It knows the package as it was when the command began."""

    def __init__(self, project: Project) -> None:
        self.began = time.time_ns()
        self.given = self.ended = 0  # runs
        command = [*RUN, "--no-spinner", "--server", "on-demand", "--stand-by"]
        pipe = subprocess.PIPE
        self.process = start(command, cwd=project.root, stdin=pipe, stdout=pipe, bufsize=0)
        assert self.process.stdout
        os.set_blocking(self.process.stdout.fileno(), False)

    def can_run(self) -> bool:
        """Whether the command is there, and the package as it has loaded it."""
        files = Path(__file__).parents[1].rglob("*.py")
        return self.process.poll() is None and all(file.stat().st_mtime_ns < self.began for file in files)

    def run(self, names: list[str]) -> None:
        assert self.process.stdin
        self.given += 1
        self.process.stdin.write(f"{' '.join(names)}\n".encode())

    def goes_on(self) -> bool:
        """Whether a run has not ended."""
        assert self.process.stdout
        self.ended += len(self.process.stdout.read() or b"")
        return self.ended < self.given and self.process.poll() is None

    def end(self) -> None:
        """Let the command end, after the run that goes on."""
        assert self.process.stdin
        self.process.stdin.close()
