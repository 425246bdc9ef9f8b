"""The floor: what running snippets costs with nothing recorded. ``floor.py SNIPPETS_FOLDER CACHE_FOLDER``.

Imports torch, compiles one tiny function, forks for every file of the folder, as many at once as there are cores. Each
gets compiler caches of its own, as in a run of ours; what it prints goes to this process's standard output.
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path


def warm_up(caches: Path) -> None:
    """One thread at most: neither Inductor's nor OpenMP's thread pool survives a fork."""
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(caches / "parent")
    import torch

    torch.compile(lambda x: x.sin() + 1)(torch.ones(2))
    torch._dynamo.reset()


def fork(path: Path, caches: Path) -> None:
    sys.stdout.flush()
    if os.fork():
        return
    leave, status = os._exit, 1
    try:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(caches / path.stem)
        runpy.run_path(str(path), run_name="__main__")
        sys.stdout.flush()
        status = 0
    finally:
        leave(status)


def main() -> None:
    snippets, caches = Path(sys.argv[1]), Path(sys.argv[2])
    warm_up(caches)
    waiting, running, failed = sorted(snippets.glob("*.py"), reverse=True), 0, 0
    while waiting or running:
        while waiting and running < len(os.sched_getaffinity(0)):
            fork(waiting.pop(), caches)
            running += 1
        failed += os.wait()[1] != 0
        running -= 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
