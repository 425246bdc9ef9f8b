"""The moment before a call, from which several runs begin alike: in forked processes, or on copies.

A fork copies nothing at first: parent and child share memory until one of them writes to it. So modules, optimizers,
iterators, globals and random generators of a child are those of the moment of the fork, and nothing has to be put back.
"""

import copy
import faulthandler
import mmap
import os
import pickle
import random
import re
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import IO, Any

import numpy
import torch

from compile_lessons.api.compare.reach import differences, reached, shared_state
from compile_lessons.api.compare.values import Snapshot
from compile_lessons.ground.arguments import Arguments, Step
from compile_lessons.ground.errors import message_of
from compile_lessons.ground.processes import Usage, fork_for
from compile_lessons.ground.words import shorten
from compile_lessons.pipeline.compiled import without_compile
from compile_lessons.pipeline.contents import values_in
from compile_lessons.pipeline.session import CaptureSettings
from compile_lessons.show import flush

#: How much processor time a job may use in a forked process, or how long it may wait, for each of its calls.
SECONDS = 120.0
_LOOK = 0.5  # seconds between two looks at what a job has used
_LONGEST_REASON = 200  # characters
_FIX = "Fix: give it to the callable as an argument"
#: Objects that are another one after each use, though no attribute shows it.
_GENERATORS = (random.Random, numpy.random.Generator, numpy.random.RandomState, torch.Generator)


class NoResult(Exception):
    """A job has no result; the message says why."""


class Start:
    """The moment before the first of some calls: what is called, how it is compiled, and what it can reach.

    ``steps`` has for each call what to run before it, or nothing for any. ``is_copy``: these are deep copies.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        calls: Sequence[Arguments],
        settings: CaptureSettings,
        steps: Sequence[Sequence[Step]] = (),
        is_copy: bool = False,
    ) -> None:
        self.fn, self.calls, self.settings, self.is_copy = fn, calls, settings, is_copy
        self.steps = steps or [()] * len(calls)
        self.before = Snapshot(without_compile(fn), calls)


#: What can be run: ``job(start, …)`` returns plain data.
Job = Callable[..., Any]


def can_fork() -> bool:
    """Return whether a forked process could run torch: not on Windows, and not once CUDA was initialized."""
    return hasattr(os, "fork") and not torch.cuda.is_initialized()


class Forked:
    """A process that is forked now and stays as it is. For each job it forks another one.

    Raises ``NoResult`` if no process can be forked.
    """

    def __init__(self, start: Start) -> None:
        self.settings = start.settings
        self._seconds = SECONDS * len(start.calls)
        self._pipe, other = Pipe()
        flush()  # what is buffered would be written twice
        with warnings.catch_warnings():
            # Python 3.12 warns of threads: those of torch are not used in the child.
            warnings.simplefilter("ignore", DeprecationWarning)
            try:
                self._pid = _fork(partial(_serve, self._pipe, other, start))
            except OSError as error:
                raise NoResult(f"this process can't be forked: {error}") from error
        os.setpgid(self._pid, self._pid)
        other.close()

    def run(self, job: Job, *args: Any) -> Any:
        """Return what ``job(start, *args)`` returns.

        Raises ``NoResult`` if it raises, ends its process or takes too long. Then nothing else can be run.
        """
        try:
            self._pipe.send((job, args))
            self._wait()
            answer = self._pipe.recv_bytes()
        except (EOFError, OSError):
            raise NoResult("the process that runs it died") from None
        result, reason = pickle.loads(answer)
        if reason:
            raise NoResult(reason)
        return result

    def _wait(self) -> None:
        """Return when there is an answer, or none can come. Raises ``NoResult`` where it takes too long."""
        usage = Usage(self._pid)
        while not self._pipe.poll(_LOOK):
            if passed := usage.passed(self._seconds):
                how = "used more processor time than" if passed == "processor" else "waited for longer than"
                raise NoResult(f"it {how} {self._seconds:.0f} seconds")

    def close(self) -> None:
        """End the processes, whatever they do, with the compilers that they started."""
        os.killpg(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        self._pipe.close()


def _fork(serve: Callable[[], None]) -> int:
    """Fork a process that calls ``serve``. Return its number."""
    python = random.getstate()  # Python seeds its generator anew in a fork

    def work() -> int:
        random.setstate(python)
        serve()
        return 0

    return fork_for(work)


def _serve(parents: Connection, pipe: Connection, start: Start) -> None:
    """Have each job answered by a process that is forked for it, until the parent closes its end of the pipe."""
    parents.close()
    _prepare()
    while True:
        try:
            job, args = pipe.recv()
        except EOFError:
            return
        answered = mmap.mmap(-1, 1)  # shared with the fork; what a job runs may end the process with any status
        with tempfile.TemporaryFile() as errors:
            pid = _fork(partial(_answer, pipe, answered, errors.fileno(), start, job, args))
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            if not answered[0]:
                pipe.send_bytes(pickle.dumps((None, f"it {_end(code, errors)}")))
            elif code:  # half an answer may be in the pipe
                return


def _end(code: int, errors: IO[bytes]) -> str:
    """Say how a process ended. Where it aborted, C++ has written the reason to ``errors``."""
    if code >= 0:
        return f"ended the process with status {code}"
    how = f"was killed by {signal.Signals(-code).name}"
    if code != -signal.SIGABRT:
        return how
    errors.seek(0)
    text = errors.read().decode(errors="replace")
    what = re.search(r"^\s*what\(\):\s*(.+)", text, re.MULTILINE)
    lines = [what[1]] if what else [line for line in text.splitlines() if line.strip()]
    return ": ".join([how, *(shorten(line, _LONGEST_REASON) for line in lines[-1:])])


def _answer(pipe: Connection, answered: mmap.mmap, errors: int, start: Start, job: Job, args: tuple[Any, ...]) -> None:
    """Send a job's result, or why there is none."""
    os.dup2(errors, 2)
    try:
        answer = pickle.dumps((job(start, *args), None))
    except BaseException as error:  # of any type, as nothing may leave the child
        reason = f"it raised {type(error).__name__}: {message_of(error)}"
        answer = pickle.dumps((None, shorten(reason, _LONGEST_REASON)))
    answered[0] = 1
    pipe.send_bytes(answer)


def _prepare() -> None:
    """Make a forked process fit for torch, and silent.

    The threads of OpenMP and of Inductor's compile pool are not there after a fork, and who waits for them hangs.
    """
    import torch._inductor.config  # here, as importing this package has to be quick

    faulthandler.disable()  # it writes to the stream that it was given, whatever stands at its number now
    torch.set_num_threads(1)
    torch._inductor.config.compile_threads = 1
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115  until the process ends


class Copied:
    """Deep copies of the callable and its arguments, and the states of the random generators.

    Raises ``NoResult`` where they can't be copied. Functions never are, so no function may hold a tensor, or an object
    with a state that nobody sees.
    """

    def __init__(self, start: Start) -> None:
        self.settings = start.settings
        self._start = _copied(start)
        self._generators = _generators()
        self._roots = start.before.roots
        shared = reached(self._start.before.roots)
        self._shared = {id(value) for value in reached(self._roots).values()} & {id(it) for it in shared.values()}
        self._state = shared_state(self._roots, self._shared)
        for path, value in self._state.items():
            if hasattr(value, "__next__") or isinstance(value, _GENERATORS):
                raise NoResult(f"a function holds {path} ({type(value).__name__}), whose state can't be copied. {_FIX}")

    def run(self, job: Job, *args: Any) -> Any:
        """Return what ``job(start, *args)`` returns.

        Raises ``NoResult`` if the compiled call, an earlier job or this one changed what copies share with the call.
        """
        self._check()
        start, now = _copied(self._start), _generators()
        try:
            _put_back(self._generators)
            result = job(start, *args)
        finally:
            _put_back(now)
        self._check()
        return result

    def _check(self) -> None:
        if changed := next(differences(self._state, shared_state(self._roots, self._shared)), ""):
            raise NoResult(f"the call changes {changed}, which can't be copied. {_FIX}")


def _generators() -> dict[Callable[[Any], None], Any]:
    """The states of all random generators, by the functions that put them back."""
    states: dict[Callable[[Any], None], Any] = {
        torch.set_rng_state: torch.get_rng_state(),
        random.setstate: random.getstate(),
        numpy.random.set_state: numpy.random.get_state(),
    }
    if torch.cuda.is_initialized():
        states[torch.cuda.set_rng_state_all] = torch.cuda.get_rng_state_all()
    return states


def _put_back(generators: dict[Callable[[Any], None], Any]) -> None:
    for put_back, state in generators.items():
        put_back(state)


def _copied(start: Start) -> Start:
    """Deep copies, in which what was shared stays shared.

    Results of earlier operations, which ``deepcopy`` refuses, become results of nothing but a copy.
    """
    memo: dict[int, Any] = {}
    for _, tensor in values_in(start.calls, ""):
        if isinstance(tensor, torch.Tensor) and tensor.grad_fn is not None:
            memo[id(tensor)] = tensor.detach().requires_grad_().clone()
    try:
        fn, calls, steps = copy.deepcopy((start.fn, start.calls, start.steps), memo)
        copied = Start(fn, calls, start.settings, steps, is_copy=True)
    except Exception as error:  # of any type: arguments have a __deepcopy__ of their own
        raise NoResult(f"the call can't be copied for the eager run: {error}") from error
    originals = {id(value) for value in start.before.numbers.values()}
    for path, value in copied.before.numbers.items():
        if id(value) in originals:
            raise NoResult(f"a function holds {path}, and functions can't be copied. {_FIX}")
    return copied
