"""Two processes on one machine that run one program, as ``torchrun --nproc-per-node 2``
starts them.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist

FOLDER = "FOLDER_OF_TWO_RANKS"  # an environment variable that only rank 1 has


def on_two_ranks(work):
    """Call ``work(rank)`` in this process as rank 0, and as rank 1 in a second process,
    which runs this program up to this call. Return what rank 0 returns.

    If one rank fails, end the other. The error has a note with what rank 1 wrote.
    """
    if FOLDER in os.environ:
        folder = Path(os.environ[FOLDER])
        (folder / "started").touch()
        _in_group(work, 1, folder)
        sys.stdout.flush()
        # Python's own end sometimes aborts here, in a C++ thread that still runs.
        os._exit(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rank_1 = _start_rank_1(folder)
        try:
            while not (folder / "started").exists():
                if rank_1.poll() is not None:
                    raise RuntimeError("rank 1 ended before this call")
                time.sleep(0.01)
            result = _in_group(work, 0, folder)
            if rank_1.wait():
                raise RuntimeError("rank 1 failed")
        except BaseException as error:
            _end(rank_1)
            text = (folder / "output").read_text()
            error.add_note(f"rank 1, exit status {rank_1.returncode}, wrote:\n{text}")
            raise
    return result


def _start_rank_1(folder):
    command = [sys.executable, "-X", "faulthandler", *sys.argv]
    environment = os.environ | {FOLDER: str(folder)}
    with open(folder / "output", "w") as output:
        return subprocess.Popen(
            command, env=environment, stdout=output, stderr=subprocess.STDOUT
        )


def _in_group(work, rank, folder):
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo",
        init_method=f"file://{folder}/store",
        rank=rank,
        world_size=2,
        timeout=timedelta(minutes=5),  # a first compile can take minutes
    )
    result = work(rank)
    dist.destroy_process_group()
    return result


def _end(process):
    """End a process, unless it is about to end by itself. It writes its stack first."""
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)
        process.wait()
