"""Signals to this process that are meant for one that it has started: each reaches that one as if it was sent there.

A signal to the whole process group, such as Ctrl-C in a terminal, reaches the other process by itself, and nothing
tells such a signal from one to this process alone. So a third process in the group, the witness, keeps the signals that
it gets: what has come to the witness too was sent to the group.
"""

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from compile_lessons.ground.processes import fork

_WINDOWS = not hasattr(signal, "pthread_sigmask")
#: Seconds from one look at the signals to the next.
_POLL = 0.05


@contextmanager
def holding_signals(*but: signal.Signals) -> Iterator[None]:
    """Within it, no signal ``but`` these acts on this process. Those that came are forgotten."""
    if _WINDOWS:
        yield
        return
    held = signal.valid_signals() - {*but}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        while pending := signal.sigpending() & held:
            _take(pending)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class SignalRelay(ExitStack):
    """Until it is closed, signals do nothing to this process; ``look`` passes them on, and ``seen`` has all that came.

    On Windows, Ctrl-C reaches the other process by itself, and there is nothing else to pass on.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[int] = set()
        self._waiting: set[int] = set()
        if _WINDOWS:
            self.callback(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, lambda n, _: self.seen.add(n)))
            return
        self.enter_context(holding_signals())
        self._witness, its = socket.socketpair()
        pid = fork()
        if pid == 0:
            _bear_witness(its)
        its.close()
        self.callback(os.waitpid, pid, 0)
        self.callback(os.kill, pid, signal.SIGKILL)
        self.callback(self._witness.close)
        self.callback(lambda: self.seen.update(_pending()))

    def look(self, pid: int | None) -> None:
        """Wait a moment, or until a child ends, and pass on to the child ``pid`` what was sent to this process alone.

        Without a child, as it has ended, nothing is passed on. A signal waits for the second look at it: who signals
        each process of a job on its own, as Slurm does, may have come to this process and not yet to the witness.
        """
        if not hasattr(signal, "sigtimedwait"):
            time.sleep(_POLL)
        else:
            signal.sigtimedwait({signal.SIGCHLD}, _POLL)
        if _WINDOWS:
            return
        pending = _pending()
        arrived, self._waiting = pending & self._waiting, pending - self._waiting
        for number in sorted(arrived):
            _take({number})
            self.seen.add(number)
            if pid is not None and not self._was_for_group(number):
                with suppress(ProcessLookupError, PermissionError):  # the child has ended, or runs as another user
                    os.kill(pid, number)
        if pid is not None and not pending and _was_stopped(pid):
            os.kill(os.getpid(), signal.SIGSTOP)  # the shell waits for this process, and continues the whole group

    def _was_for_group(self, number: int) -> bool:
        try:
            self._witness.send(bytes([number]))
            return self._witness.recv(1) == b"\1"
        except OSError:  # somebody has killed the witness
            return False


def _take(pending: set[int]) -> None:
    """Take one of these signals. Another thread may have taken it, for which ``sigwait`` would wait for ever."""
    if hasattr(signal, "sigtimedwait"):
        signal.sigtimedwait(pending, 0)
    else:  # as on macOS
        signal.sigwait(pending)


def _pending() -> set[int]:
    return signal.sigpending() - {signal.SIGCHLD}


def _bear_witness(pipe: socket.socket) -> None:
    """Say of each signal that this process is asked about whether it came here too, until this process is killed."""
    try:
        while asked := pipe.recv(1):
            came = asked[0] in signal.sigpending()
            if came:
                _take({asked[0]})
            pipe.send(bytes([came]))
    finally:
        os._exit(0)


def _was_stopped(pid: int) -> bool:
    """Return whether the terminal has stopped a child, as Ctrl-Z does, since the last look."""
    if hasattr(os, "waitid"):  # which macOS has since Python 3.13
        with suppress(ChildProcessError):  # it has ended
            stop = os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG)
            return stop is not None and stop.si_status != signal.SIGSTOP
    return False
