"""What the parent of the runs does before it forks, and what a run starts with."""

import subprocess
import sys
import time
from pathlib import Path

import msgspec

from compile_lessons.runs.child import Job, read_result
from compile_lessons.runs.pool import RunningJob

WARM_UP = """
import torch
from compile_lessons.runs import compiler_cache

calls = []
torch.autograd._engine_run_backward = lambda *args, **kwargs: calls.append(args)
compiler_cache.warm_up(compiler=False)
print("before the fork:", len(calls))
torch.ones(2, requires_grad=True).sum().backward()
print("in all:", len(calls))
"""


def test_autograd_is_left_alone_before_a_fork() -> None:
    """A torch built with CUDA starts autograd's threads at the first backward pass; they do not survive a fork."""
    done = subprocess.run([sys.executable, "-c", WARM_UP], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["before the fork: 0", "in all: 1"], done.stderr


def test_a_run_starts_with_the_objects_of_the_runs_that_ended_before(tmp_path: Path) -> None:
    snippet, objects, inductor = tmp_path / "snippets/list.py", tmp_path / "objects", tmp_path / "inductor"
    snippet.parent.mkdir()
    snippet.write_text(
        "import os\nfrom pathlib import Path\n\n"
        "names = ' '.join(path.name for path in Path(os.environ['TORCHINDUCTOR_CACHE_DIR']).rglob('*.so'))\n"
    )
    job = Job(
        name="list.py",
        folder=str(tmp_path),
        root=str(tmp_path),
        inductor_cache=str(inductor),
        headers="",
        objects=str(objects),
        env={},
        timeout=60,
        memory=2**30,
        fork=False,
    )
    job.file.write_bytes(msgspec.json.encode(job))
    (objects / "ab").mkdir(parents=True)
    (objects / "ab/kernel.so").write_bytes(b"")  # of a run that ended after the jobs were written
    started = RunningJob(job)
    while started.poll() is None:
        time.sleep(0.01)
    result = read_result(job.result)
    assert result and result.values == {"names": "kernel.so"}
