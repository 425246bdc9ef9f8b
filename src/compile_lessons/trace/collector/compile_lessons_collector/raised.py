"""Exceptions that leave a call of compiled code or a backward pass, and those that end the program or a thread."""

import os
import sys
import threading

from .files import LONGEST, guarded, write
from .stacks import is_user_file, user_stack

_DEEPEST = 24  # lines of a traceback outside of torch, and of torch's below the last of them

_counts: dict = {}  # by the exception's type and innermost line, and who called
_unwritten: dict = {}  # the last record of each of these, if it is not written


def after_fork():
    """Count the exceptions of this process only, in a process that was forked."""
    _counts.clear()
    _unwritten.clear()


def at_exit():
    """Write how often each was raised."""
    for record in list(_unwritten.values()):
        write("raised", **record)


def note(error, who, caller):
    """Write down an exception that leaves ``caller``: the first one, the second, the fourth, and so on of a kind.

    ``who`` has what is known of the call. A program may catch an exception and go on, thousands of times. The last
    number is written at the end.
    """
    if not isinstance(error, Exception):  # Ctrl-C, or an exit
        return
    about = {**_describe(error, caller), **who}
    key = about["type"], str(about["frames"][-1:] or about["stack"][:1]), who["when"], who["region"]
    count = _counts[key] = _counts.get(key, 0) + 1
    if count & (count - 1):
        _unwritten[key] = {**about, "count": count}
    else:
        _unwritten.pop(key, None)
        write("raised", **about, count=count)


def note_last():
    """Write down the exception that ends the program: Python keeps it, whatever prints it."""
    error = getattr(sys, "last_value", None)
    while error is not None:
        if isinstance(error, Exception):
            write("raised", **_describe(error, None), ends="program")
        error = error.__cause__ or error.__context__


def watch_threads():
    """Write down exceptions that end a thread. The program's own hook still gets them."""
    original = threading.excepthook

    def excepthook(args):
        if isinstance(args.exc_value, Exception):
            guarded(_note_thread, args)
        original(args)

    threading.excepthook = excepthook


def _note_thread(args):
    write("raised", **_describe(args.exc_value, None), ends="thread", thread=args.thread.name if args.thread else "")


def _describe(error, caller):
    return {
        "type": type(error).__name__,
        "module": type(error).__module__,
        "message": str(error)[: 10 * LONGEST],
        "frames": _frames(error.__traceback__),
        "stack": user_stack(caller),
    }


def _frames(traceback):
    """Return the lines of a traceback, the innermost last: those outside of torch, and torch's below the last one."""
    outside, below = [], []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        line = [code.co_filename, traceback.tb_lineno, code.co_name]
        if traceback.tb_lineno is None:  # in code that Dynamo wrote
            pass
        elif is_user_file(code.co_filename):
            outside.append(line)
            below.clear()
        elif not code.co_filename.startswith(os.path.dirname(__file__)):
            below.append(line)
        traceback = traceback.tb_next
    return outside[-_DEEPEST:] + below[-_DEEPEST:]
