"""Run jobs in forked processes, which all begin as this process is now and leave no trace in it.

A fork copies nothing at first: parent and child share memory until one of them writes to it. So modules, optimizers,
iterators, globals and random generators of a child are those of the moment of the fork, and nothing has to be put back.
"""

from __future__ import annotations

import faulthandler
import io
import os
import random
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any, ClassVar

import torch

#: How long a child may take.
SECONDS = 120.0


class NoResult(Exception):
    """A job has no result; the message says why."""


class Child:
    """A forked process that waits until ``result`` is called, and then runs a job."""

    #: The ends of pipes that this process holds: a child closes those of the children before it.
    _ends: ClassVar[set[int]] = set()

    def __init__(self, job: Callable[[], Any]) -> None:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()  # what is buffered would be written twice
        python = random.getstate()  # Python seeds its generator anew in a fork
        start, self._start = os.pipe()
        self._result, result = os.pipe()
        with warnings.catch_warnings():
            # Python 3.12 warns of threads: those of torch are not used in the child.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._pid = os.fork()
        self._ends.update((self._start, self._result))
        if self._pid == 0:
            for end in self._ends:
                os.close(end)
            self._ends.clear()  # a child may have children of its own
            random.setstate(python)
            _serve(job, start, result)
        os.close(start)
        os.close(result)

    def result(self) -> Any:
        """Run the job and return its result. Raises ``NoResult`` if the child raises, dies or takes too long."""
        os.write(self._start, b"!")
        chunks = self._read(time.monotonic() + SECONDS)
        if not chunks:
            raise NoResult(self._end())
        raised, value = torch.load(io.BytesIO(chunks), weights_only=False)
        if raised:
            raise NoResult(value)
        return value

    def _read(self, deadline: float) -> bytes:
        """All that the child writes; it closes the pipe when it ends."""
        chunks: list[bytes] = []
        while True:
            ready, _, _ = select.select([self._result], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise NoResult(f"it took longer than {SECONDS:.0f} seconds")
            chunk = os.read(self._result, 1 << 20)
            if not chunk:
                return b"".join(chunks)
            chunks.append(chunk)

    def _end(self) -> str:
        pid, self._pid = self._pid, 0
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return (
            f"it was killed by {signal.Signals(-code).name}" if code < 0 else f"it ended the process with status {code}"
        )

    def close(self) -> None:
        """End the child, whatever it does."""
        for end in (self._start, self._result):
            self._ends.remove(end)
            os.close(end)
        if self._pid:
            try:
                os.killpg(self._pid, signal.SIGKILL)  # with the compilers that it started
            except ProcessLookupError:
                os.kill(self._pid, signal.SIGKILL)  # it has no group of its own yet
            os.waitpid(self._pid, 0)
            self._pid = 0


def _serve(job: Callable[[], Any], start: int, result: int) -> None:
    """In the child: wait, run the job, send what it returns, and end without a word."""
    status = 1
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if os.read(start, 1):
            _prepare()
            data = io.BytesIO()
            torch.save(_outcome(job), data)
            with open(result, "wb") as pipe:
                pipe.write(data.getbuffer())
        status = 0
    finally:
        os._exit(status)


def _outcome(job: Callable[[], Any]) -> tuple[bool, Any]:
    try:
        return False, job()
    except BaseException as error:  # of any type, as nothing may leave the child
        return True, f"it raised {type(error).__name__}"


def _prepare() -> None:
    """Make a forked process fit for torch, and silent.

    The threads of OpenMP and of Inductor's compile pool are not there after a fork, and who waits for them hangs.
    """
    import torch._inductor.config  # here, as importing this package has to be quick

    faulthandler.disable()
    torch.set_num_threads(1)
    torch._inductor.config.compile_threads = 1
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115  until the process ends
