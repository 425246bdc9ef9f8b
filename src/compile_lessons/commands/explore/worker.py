"""The worker of ``explore``: it imports torch, compiles something tiny, and forks for each run.

Reads commands from standard input and writes answers to standard output, one JSON object a line. One run is under way
at a time: the next one takes its place. When a run has ended, nothing of it is left: no process, and no file that it
has written into a temporary folder.
"""

import contextlib
import faulthandler
import gc
import os
import selectors
import shutil
import signal
import sys
import tempfile
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import IO

import msgspec
import psutil
import torch

from compile_lessons.api import capture
from compile_lessons.commands.explore.run import File, work
from compile_lessons.explorer import page
from compile_lessons.explorer.live.messages import Answer, Command, CompileProblem, End, Names, Panes, Ready, RunText
from compile_lessons.gpu.tools import why_no_triton
from compile_lessons.ground import processes
from compile_lessons.runs import compiler_cache
from compile_lessons.runs.ending import Place, SharedNotes, cause, place_in, watch_exit

#: Bytes of a run's output that are shown: the last ones.
MOST_OUTPUT = 20_000
#: How often to see whether a process has ended without a word.
_POLL = 0.05
_CHUNK = 2**16
#: What is said of a run that has passed a limit.
_PASSED = {
    "processor": "stopped after {seconds:g} seconds of processor time\n  Fix: set a higher limit with --seconds",
    "idle": "stopped after waiting for {seconds:g} seconds\n  Fix: set a higher limit with --seconds",
    "memory": "stopped at {memory:.1f} GiB\n  Fix: set a higher limit with --memory",
}


class MessageLines:
    """What comes through a pipe, by lines."""

    def __init__(self, pipe: int) -> None:
        self.pipe = pipe
        self._rest = b""

    def read(self) -> list[bytes] | None:
        """Return the lines that have come whole since the last time; ``None`` at the end."""
        data = os.read(self.pipe, _CHUNK)
        if not data:
            return None
        *lines, self._rest = (self._rest + data).split(b"\n")
        return lines


class CapturedOutput:
    """The end of what a run writes to its streams."""

    def __init__(self, pipe: int) -> None:
        os.set_blocking(pipe, False)
        self.pipe = pipe
        self._last = b""
        self._length = 0

    def read(self) -> bool:
        """Read once. Return whether there may be more."""
        try:
            data = os.read(self.pipe, _CHUNK)
        except BlockingIOError:
            return False
        self._length += len(data)
        self._last = (self._last + data)[-MOST_OUTPUT:]
        return bool(data)

    def text(self) -> str:
        """Return the end of the output, with a line about what is left out."""
        text = self._last.decode(errors="replace")
        left_out = self._length - len(self._last)
        return f"… {left_out:,} bytes of output before this are left out\n{text}" if left_out else text


class UnderWay:
    """A run, its processes and its folder."""

    def __init__(self, run: RunText, file: File, folder: Path, private: list[int]) -> None:
        self.run = run
        self.folder = Path(tempfile.mkdtemp(dir=folder))
        self.notes = SharedNotes()
        self.stack: IO[str] = open(self.folder / "stack", "w+")  # noqa: SIM115  (closed by ``end``)
        answers, own = os.pipe()
        output, streams = os.pipe()
        self.answers, self.output = MessageLines(answers), CapturedOutput(output)
        others = (*private, answers, output)
        self.pid = processes.fork_for(partial(self._work, file, own, streams, others), in_session=True)
        os.close(own)
        os.close(streams)
        self.usage = processes.Usage(self.pid)

    def _work(self, file: File, answers: int, streams: int, others: Sequence[int]) -> int:
        """What the process of the run does, until it ends."""
        for descriptor in others:
            os.close(descriptor)
        nowhere = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((nowhere, 0), (streams, 1), (streams, 2)):
            os.dup2(source, target)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115  (until the process ends)
        os.environ["TMPDIR"] = os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.tempdir = str(self.folder)
        os.environ["TRITON_CACHE_DIR"] = str(self.folder / "triton")
        encode = msgspec.json.Encoder().encode

        def send(answer: Answer) -> None:
            if isinstance(answer, End):
                sys.stdout.flush()
            data = memoryview(encode(answer) + b"\n")
            while data:
                data = data[os.write(answers, data) :]

        work(self.run, file, send, self._watch)
        return 0

    def _watch(self) -> None:
        """Note in this process how the reader's code ends it, if it does."""
        faulthandler.enable(self.stack)
        faulthandler.register(signal.SIGUSR1, self.stack)
        watch_exit(self.notes.exit)

    def limit_over(self, seconds: float, memory: int) -> str:
        """Return the words for a limit that the run has passed; empty while it has not."""
        passed = self.usage.passed(seconds, memory)
        return _PASSED[passed].format(seconds=seconds, memory=self.usage.memory / 2**30) if passed else ""

    def place(self) -> Place | None:
        """Ask the run where it is, in the reader's code."""
        own = psutil.Process().cmdline()
        forks = []
        for process in processes.family(self.pid):
            with contextlib.suppress(psutil.Error):
                if process.cmdline() == own:
                    forks.append(process)
        if not forks:
            return None
        processes.ask_for_stack(forks[-1].pid, self.folder / "stack")
        return self.stack_place()

    def stack_place(self) -> Place | None:
        """Return the innermost line of the reader's in the stack that a process has written."""
        self.stack.seek(0)
        return place_in(self.stack)

    def ended(self) -> int | None:
        """Return the status of the process if it has ended."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if pid else None

    def end(self) -> None:
        """Leave nothing of it behind."""
        processes.end_descendants()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, 0)[0]:
                pass
        while self.output.read():
            pass
        for pipe in (self.answers.pipe, self.output.pipe):
            os.close(pipe)
        self.stack.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Worker:
    """Runs texts of one file, one at a time, and writes answers to a stream. Limits are in seconds and bytes."""

    def __init__(self, file: File, folder: Path, seconds: float, memory: int, answers: IO[bytes]) -> None:
        self.file, self.folder, self.seconds, self.memory, self.answers = file, folder, seconds, memory, answers
        self.now: UnderWay | None = None
        self.selector = selectors.SelectSelector()  # it has no descriptor that a run could close

    def emit(self, answer: Answer) -> None:
        """Tell the server."""
        self.answers.write(msgspec.json.encode(answer) + b"\n")
        self.answers.flush()

    def serve(self, commands: int) -> None:
        """Do what comes through a pipe, to its end."""
        given = MessageLines(commands)
        self.selector.register(commands, selectors.EVENT_READ)
        while True:
            ready = {key.fd for key, _ in self.selector.select(_POLL if self.now else None)}
            if commands in ready:
                lines = given.read()
                if lines is None:
                    self.stop()
                    return
                for line in lines:
                    self._do(msgspec.json.decode(line, type=Command))
            elif self.now:
                self._look(self.now, ready)

    def stop(self) -> None:
        """End what runs now."""
        if self.now:
            self._finish(self.now, None)

    def _do(self, command: Command) -> None:
        if isinstance(command, RunText):
            self.stop()
            self.now = UnderWay(command, self.file, self.folder, [self.answers.fileno()])
            for pipe in (self.now.answers.pipe, self.now.output.pipe):
                self.selector.register(pipe, selectors.EVENT_READ)
        elif self.now:
            self._finish(self.now, CompileProblem("stopped by the button"))

    def _look(self, now: UnderWay, ready: set[int]) -> None:
        if now.output.pipe in ready and not now.output.read():
            self.selector.unregister(now.output.pipe)
        if now.answers.pipe in ready and self._pass_on(now):
            return
        if words := now.limit_over(self.seconds, self.memory):
            self._finish(now, self._at(words, now.place()))
        elif (code := now.ended()) is not None and not self._pass_on_all(now):
            note = now.notes.read()
            what, place = note["exit"] if "exit" in note else (cause(code), now.stack_place())
            self._finish(now, self._at(f"{what} ended the process before it was explored", place))

    def _pass_on(self, now: UnderWay) -> bool:
        """Pass on what the run has sent. Return whether it has ended."""
        lines = now.answers.read()
        if lines is None:
            self.selector.unregister(now.answers.pipe)
            return False
        for line in lines:
            try:
                answer = msgspec.json.decode(line, type=Names | Panes | End)
            except msgspec.DecodeError:  # two processes write, or the reader's code does
                self._finish(
                    now, CompileProblem("the run went on in two processes, or wrote to a descriptor of explore's")
                )
                return True
            if isinstance(answer, End):
                self._finish(now, answer.problem)
                return True
            self.emit(answer)
        return False

    def _pass_on_all(self, now: UnderWay) -> bool:
        """Pass on what a run that has ended sent before. Return whether it said how it ended."""
        while now.answers.pipe in self.selector.get_map() and self.selector.select(0):
            if self._pass_on(now):
                return True
        return False

    def _at(self, words: str, place: Place | None) -> CompileProblem:
        if place is None:
            return CompileProblem(words)
        file, line = place
        return CompileProblem(f"{words}\n  at {file}:{line}", line if file == str(self.file.path) else None)

    def _finish(self, now: UnderWay, problem: CompileProblem | None) -> None:
        self.now = None
        for pipe in (now.answers.pipe, now.output.pipe):
            if pipe in self.selector.get_map():
                self.selector.unregister(pipe)
        now.end()
        self.emit(End(run=now.run.run, problem=problem, output=now.output.text()))


def warm_up() -> None:
    """Have torch load what most compiles load. No thread is started, as a fork would not have it."""

    def tiny(x: torch.Tensor) -> torch.Tensor:
        return (x.sin() + 1).sum()

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    compiler_cache.warm_up(compiler=False)
    targets = ["cpu"] if why_no_triton() else ["cpu", "h200"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for target in targets:
            page(capture(tiny, target=target, machine_code=False, look_up=False)(torch.ones(2)))
    compiler_cache.forget_compiles()
    torch.set_num_threads(threads)
    gc.collect()
    gc.freeze()


def main() -> None:
    """Entry: ``worker TYPED PATH FOLDER SECONDS MEMORY [ARGUMENTS]``."""
    typed, path, folder, seconds, memory, *arguments = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)  # of a worker that was killed
    os.mkdir(folder)
    processes.end_on_signals(partial(shutil.rmtree, folder, ignore_errors=True))
    processes.adopt_orphans()
    processes.end_with_starter(signal.SIGINT)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever torch prints must not mix with the answers
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # Inductor's pool of threads does not survive a fork
    warm_up()
    worker = Worker(File(typed, Path(path), arguments), Path(folder), float(seconds), int(memory), answers)
    worker.emit(Ready())
    try:
        worker.serve(0)
    finally:
        processes.end_descendants()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
