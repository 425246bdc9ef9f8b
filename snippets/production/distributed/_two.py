"""Two processes on one machine that share a process group: those of the recordings on
two GPUs. Take ``_ranks.py`` for a new program, as a compile can hang in a fork.
"""

import os
import tempfile
from datetime import timedelta
from multiprocessing import get_context

import torch
import torch.distributed as dist


def on_two_processes(work, backend="gloo"):
    """Call ``work(rank)`` in this process as rank 0 and in a fork of it as rank 1.
    Return what rank 0 returns.
    """
    with tempfile.TemporaryDirectory() as folder:
        other = get_context("fork").Process(
            target=_as_rank_1, args=(work, folder, backend), daemon=True
        )
        other.start()
        result = _in_group(work, 0, folder, backend)
        other.join()
    if other.exitcode:
        raise RuntimeError(f"rank 1 ended with exit status {other.exitcode}")
    return result


def _as_rank_1(work, folder, backend):
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    _in_group(work, 1, folder, backend)


def _in_group(work, rank, folder, backend):
    options = {
        "init_method": f"file://{folder}/store",
        "timeout": timedelta(seconds=120),
    }
    if backend == "nccl":
        torch.cuda.set_device(rank)
        options["device_id"] = torch.device("cuda", rank)
    else:
        torch.set_num_threads(1)
    dist.init_process_group(backend, rank=rank, world_size=2, **options)
    try:
        return work(rank)
    finally:
        dist.destroy_process_group()
