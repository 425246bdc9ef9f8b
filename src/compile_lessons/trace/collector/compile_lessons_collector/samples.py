"""The lines in which modules run before torch.compile is used, and those between calls of compiled functions."""

import _thread
import atexit
import os
import re
import sys
import threading
import time

from . import calls
from .files import guarded, write
from .stacks import is_user_file

_BEFORE, _AFTER = 0.02, 0.05  # seconds from one look at the program to the next, before torch.compile is used and after
_LINES = 5  # that are written
_GENERATED = re.compile(r"[/\\](?P<start>\w\w)[/\\]c(?P=start)[a-z2-7]{49}\.py$")  # files of Inductor's cache


class Samples:
    """Notes in which line of the program the modules run, as long as it does not use torch.compile, and since its last
    compile in which line it is while no compiled function runs.

    A thread looks at the main thread. The threading module doesn't know it: a program may wait for all threads that it
    finds there. It ends before a fork and begins again after it, as Python warns of a fork in a process with several
    threads, and it ends before the interpreter does.
    """

    def __init__(self):
        self.main = threading.main_thread().ident
        self.counts = {}
        self.total = self.backward = self.written = 0
        self.compiles = 0
        self.looked = 0
        self.between = {}
        self.ended = _thread.allocate_lock()  # is held while the thread runs
        self.start()
        os.register_at_fork(before=self.stop, after_in_parent=self.start)
        atexit.register(self.stop)

    def start(self):
        if self.ended.acquire(blocking=False):
            self.ending = _thread.allocate_lock()
            self.ending.acquire()
            self.native = None
            _thread.start_new_thread(self.run, ())

    def stop(self):
        if self.ended.locked() and self.ending.locked():
            self.ending.release()
            if self.ended.acquire(timeout=1):  # in a fork that Python doesn't know of, nobody releases it
                self.ended.release()
            while os.path.exists(f"/proc/self/task/{self.native}"):  # for a moment, in which Python would count it
                time.sleep(0)

    def run(self):
        self.native = threading.get_native_id()
        guarded(self.look)
        self.ended.release()

    def look(self):
        while not self.ending.acquire(timeout=_AFTER if calls.regions else _BEFORE):
            if calls.regions:
                self.look_between()
            else:
                self.look_at_modules()

    def look_at_modules(self):
        line, in_backward = _read_frame(self.main, lambda frame: (_line_of_module(frame), _is_in_backward(frame)))
        if line is not None:
            self.counts[line] = self.counts.get(line, 0) + 1
        if self.counts:
            self.total += 1
            self.backward += in_backward
        if self.total > 1.2 * self.written:
            self.written = self.total
            write("samples", total=self.total, backward=self.backward, lines=_most(self.counts, 3))

    def look_between(self):
        state = calls.main_state()
        if state is None or state.converting or self.compiles != calls.compiles:
            self.compiles = calls.compiles
            self.looked = self.written = 0
            self.between = {}
            return
        self.looked += 1
        line = None if state.depth else _read_frame(self.main, _innermost)
        if line is not None:
            self.between[line] = self.between.get(line, 0) + 1
        if self.looked > 1.2 * self.written:
            self.written = self.looked
            write("between", looked=self.looked, lines=_most(self.between, _LINES))


def _read_frame(thread, read):
    """Return what ``read`` finds in the frame of a thread, and keep nothing of the frame.

    A frame that somebody holds keeps the local objects of a function that has returned. As long as some of these live,
    torch has set a state of its thread, such as autocast. Another thread would end that too late, and for itself.
    """
    return read(sys._current_frames().get(thread))


def _user_line(frame):
    """Return the user's line that runs in a frame, or that led to it. Code that Dynamo writes has parts without one."""
    while frame is not None and (frame.f_lineno is None or not is_user_file(frame.f_code.co_filename)):
        frame = frame.f_back
    return frame and (frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


def _innermost(frame):
    """Return the user's line that led to ``frame``; ``None`` if Inductor's code runs, as in a backward graph."""
    line = _user_line(frame)
    return None if line is None or _GENERATED.search(line[0]) else line


def _line_of_module(frame):
    """Return the user's line that called the outermost module; ``None`` if no module runs."""
    line = None
    while frame is not None:
        if frame.f_code.co_name == "_wrapped_call_impl":
            line = _user_line(frame.f_back) or line
        frame = frame.f_back
    return line


def _is_in_backward(frame):
    """Return whether a backward pass runs: its operators have no frame of Python's, the function that starts it has."""
    while frame is not None and frame.f_code.co_name != "_engine_run_backward":
        frame = frame.f_back
    return frame is not None


def _most(counts, number):
    return sorted(counts.items(), key=lambda item: -item[1])[:number]
