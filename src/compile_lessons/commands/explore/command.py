"""``compile-lessons explore``: the explorer beside an editor, in a browser; the panes follow each edit."""

import errno
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import webbrowser
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from compile_lessons.commands.explain import OneTarget, ScriptArguments, Target, check_target
from compile_lessons.commands.loading import ExplainError, located
from compile_lessons.commands.terminal import stop
from compile_lessons.explorer.live.document import Document, text_of
from compile_lessons.explorer.live.messages import Answer, Command, CompileProblem, Settings, Stop
from compile_lessons.explorer.live.server import Actions, Edit, Server
from compile_lessons.explorer.live.state import Shown, State
from compile_lessons.facts import DEVICES
from compile_lessons.ground import processes
from compile_lessons.ground.errors import ProjectError
from compile_lessons.ground.printing import say

#: The port, unless something else has it.
PORT = 8765
#: Seconds between two looks at the file. A look is a call of ``stat``, which every file system knows.
_LOOK = 0.3


class OneFile(OneTarget):
    """``explore`` takes one file, too."""

    verb = "explore"


def explore(
    what: Annotated[
        str | None,
        typer.Argument(metavar="FILE.py[:NAME]", help="A file, and a function, module or method in it."),
    ] = None,
    arguments: ScriptArguments = None,
    inputs: Annotated[
        str, typer.Option(metavar="[FILE.py:]NAME", help="A function that returns the arguments of one call.")
    ] = "",
    target: Target = "cpu",
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to serve at; 0.0.0.0 in a container.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(metavar="PORT", min=0, max=65535, help=f"The port; {PORT} or a free one unless you name one."),
    ] = None,
    browser: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Open a browser, or not; by default where there is a screen."),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=1, help="Processor time, or idle time, after which a run ends."),
    ] = 60,
    memory: Annotated[float, typer.Option(metavar="GIB", min=0.5, help="Memory at which a run ends.")] = 8,
) -> None:
    """Edit a function in the browser, and watch every stage of its compile follow.

    For example: compile-lessons explore model.py:step

    Without FILE.py, explore opens an example. Without NAME, it takes the last function or module in the file that takes
    arguments. The arguments of the call come from make_inputs in the file, or from --inputs, as for explain.

    explore prints an address of this machine and serves it until Ctrl-C. Nobody can open the page without the token in
    that address. What you type is run on this machine, as your own user; it is written to FILE.py only by Save.

    The exit status is 0 after Ctrl-C, 1 if torch can't be loaded, and 2 if the command is invalid.
    """
    if not hasattr(os, "fork"):
        stop("explore needs a system that can fork a process\n  Fix: use Linux, macOS, WSL or a container")
    with tempfile.TemporaryDirectory(prefix="explore-", ignore_cleanup_errors=True) as folder:
        try:
            check_target(target := target.lower())
            settings = Settings(inputs=inputs, target=target)
            explorer = _explorer(what, arguments or [], settings, Path(folder), seconds, memory)
            server = _server(explorer, host, port)
        except (ExplainError, ProjectError) as error:
            stop(str(error))
        status = _serve(explorer, server, browser)
    raise typer.Exit(status)


class LiveExplorer:
    """The file, the worker, and what the page shows."""

    def __init__(self, shown: Shown, path: Path, worker: list[str]) -> None:
        self.state = State(shown)
        self.document = Document(path, self.state) if shown.can_save else None
        self.over = threading.Event()
        self.failed = False
        self._command = worker
        self._worker: subprocess.Popen[bytes] | None = None
        self._lock = threading.RLock()
        self._compiled = ""

    def actions(self) -> Actions:
        """Return what a request can have done."""
        return Actions(run=self.run, save=self.save, keep=self.keep, load=self.load, stop=self.stop)

    def run(self, edit: Edit) -> None:
        """Have the editor's text compiled."""
        if self.document is None:
            self.state.set(text=edit.text)
        else:
            self.document.edit(edit.text, edit.version)
        self._run(edit.settings)

    def save(self, edit: Edit) -> None:
        """Write the editor's text to the file, and have it compiled if it has not been."""
        if self.document is None:
            raise ProjectError("There is no file to save.")
        self.document.save(edit.text, edit.version)
        if edit.text != self._compiled:
            self._run(edit.settings)

    def keep(self) -> None:
        """Keep the editor's text where the file has changed too."""
        if self.document is not None:
            self.document.keep()

    def load(self) -> None:
        """Have the editor take the file's text."""
        if self.document is not None:
            self.document.load()
            self._run(self.state.shown.settings)

    def stop(self) -> None:
        """End the run."""
        with self._lock:
            self._send(Stop())

    def start(self) -> None:
        """Start the worker, and the first run, which waits for it."""
        self._start_worker()
        self._run(self.state.shown.settings)

    def watch(self) -> None:
        """Look at the file until the server ends, and have it compiled when it has changed."""
        while self.document is not None and not self.over.wait(_LOOK):
            if self.document.look():
                self._run(self.state.shown.settings)

    def end(self) -> None:
        """End the worker with all that it has started."""
        self.over.set()
        self.state.end()
        with self._lock:
            worker = self._worker
        if worker is not None and worker.poll() is None:
            worker.send_signal(signal.SIGINT)
            worker.wait()

    def _run(self, settings: Settings) -> None:
        with self._lock:
            run = self.state.begin(settings)
            self._compiled = run.text
            self._send(run)

    def _send(self, command: Command) -> None:
        assert self._worker is not None and self._worker.stdin is not None
        with suppress(BrokenPipeError):  # the worker has died, which ``_read`` sees
            self._worker.stdin.write(msgspec.json.encode(command) + b"\n")
            self._worker.stdin.flush()

    def _start_worker(self) -> None:
        with self._lock:
            if not self.over.is_set():
                self._worker = processes.start(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                threading.Thread(target=self._read, args=(self._worker,), daemon=True).start()

    def _read(self, worker: subprocess.Popen[bytes]) -> None:
        """Take in what a worker tells. If it ends unasked, start another one, unless it could not even load torch."""
        assert worker.stdout is not None
        for line in worker.stdout:
            self.state.take(msgspec.json.decode(line, type=Answer))
        code = worker.wait()
        if self.over.is_set():
            return
        if not self.state.shown.ready:
            self.failed = True
            self.over.set()
            return
        how = signal.Signals(-code).name if code < 0 else f"status {code}"
        problem = CompileProblem(f"the process that has torch loaded ended by {how}; another one is starting")
        self.state.set(ready=False, running=False, problem=problem)
        self._start_worker()


def _explorer(
    what: str | None, arguments: list[str], settings: Settings, folder: Path, seconds: float, memory: float
) -> LiveExplorer:
    """Return the explorer of a file, or of the example. Raises ``ExplainError`` and ``ProjectError``."""
    if what is None:
        path = folder / "example.py"  # there is no such file: its text is the editor's
        text = (files("compile_lessons.explorer.live") / "example.txt").read_text(encoding="utf-8")
        shown = Shown(file=path.name, path=str(path), text=text, settings=settings, can_save=False)
    else:
        named = located(what, "FILE.py or FILE.py:NAME")
        path, settings = named.path, msgspec.structs.replace(settings, name=named.name)
        shown = Shown(file=named.file, path=str(path), text=text_of(path), settings=settings, can_save=True)
    runs = folder / "runs"  # the worker makes it
    module = [sys.executable, "-P", "-m", "compile_lessons.commands.explore.worker"]
    return LiveExplorer(
        shown, path, [*module, shown.file, str(path), str(runs), str(seconds), str(int(memory * 2**30)), *arguments]
    )


def _server(explorer: LiveExplorer, host: str, port: int | None) -> Server:
    """Return the server at the port, or at a free one if none is named and the usual one is taken."""
    for number in [PORT, 0] if port is None else [port]:
        try:
            return Server(host, number, explorer.state, explorer.actions(), list(DEVICES))
        except OSError as error:
            if error.errno != errno.EADDRINUSE or number == port:
                fix = "\n  Fix: name another one with --port" if error.errno == errno.EADDRINUSE else ""
                raise ExplainError(f"can't serve at {host}:{number}: {error.strerror}{fix}") from None
    raise AssertionError("port 0 is never in use")


def _serve(explorer: LiveExplorer, server: Server, browser: bool | None) -> int:
    """Serve until Ctrl-C. Return the exit status."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # which nohup asks for
            signal.signal(number, lambda *_: explorer.over.set())
    explorer.start()
    for work in (server.serve_forever, explorer.watch):
        threading.Thread(target=work, daemon=True).start()
    try:
        _say(server.url, explorer.state.shown.file)
        if _opens() if browser is None else browser:
            with tempfile.TemporaryDirectory(prefix="explore-") as folder:
                webbrowser.open(leading_to(server.url, Path(folder)).as_uri())
                explorer.over.wait()
        explorer.over.wait()
    finally:
        explorer.end()
        server.shutdown()
        server.server_close()
    if explorer.failed:
        say("error: torch can't be loaded; the reason is above", error=True)
    return int(explorer.failed)


def leading_to(url: str, folder: Path) -> Path:
    """Write a page that leads to an address. The browser's arguments, which other users can see, then have no token.

    Only this user can read the folder.
    """
    page = folder / "explore.html"
    page.write_text(f'<!doctype html><title>explore</title><meta http-equiv="refresh" content="0; url={url}">')
    return page


def _say(url: str, file: str) -> None:
    say(f"{file} is at {url}\nCtrl-C ends it.")
    if "SSH_CONNECTION" in os.environ:
        port = url.split(":")[2].partition("/")[0]
        say(f"On your own machine: ssh -N -L {port}:127.0.0.1:{port} {socket.gethostname()}, then open the address.")
    sys.stdout.flush()


def _opens() -> bool:
    """Whether a browser can show the page to whoever typed the command."""
    has_screen = sys.platform != "linux" or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())
    return sys.stdout.isatty() and has_screen and "SSH_CONNECTION" not in os.environ
