"""Runs programs, each in a fork of this process, which has imported torch: ``python forks.py FOLDER…``.

Each folder has ``program.py`` and gets what it prints, in ``output``, and its number, in ``pid``. The program of a
folder that is named ``eager`` runs in eager mode.
"""

import os
import runpy
import sys
from pathlib import Path

import torch
import torch._dynamo

#: Programs that run at the same time.
JOBS = 2


def run(folder: Path) -> None:
    (folder / "pid").write_text(str(os.getpid()))
    output = os.open(folder / "output", os.O_WRONLY | os.O_CREAT)
    os.dup2(output, 1)
    os.dup2(output, 2)
    torch.manual_seed(0)
    if folder.name == "eager":
        torch.compiler.set_stance("force_eager")
    runpy.run_path(str(folder / "program.py"), run_name="__main__")


def main() -> None:
    torch.compile(torch.sin, backend="eager")(torch.ones(2))  # what a first compile imports
    torch.compiler.reset()
    running = 0
    for name in sys.argv[1:]:
        if running == JOBS:
            os.wait()
            running -= 1
        if os.fork() == 0:
            run(Path(name))
            return
        running += 1
    for _ in range(running):
        os.wait()


if __name__ == "__main__":
    main()
