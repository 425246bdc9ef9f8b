"""The file of this process, one line of JSON for each record."""

import contextlib
import errno
import json
import os
import threading
import time

LONGEST = 400  # characters of a text from torch

folder = ""
_path = ""
_file = None
_failed = False
_lock = threading.Lock()


def write(event, **fields):
    line = json.dumps({"e": event, "t": time.time(), **fields}, default=repr, separators=(",", ":")) + "\n"
    data = line.encode("utf-8", "backslashreplace")
    with _lock:
        try:
            _open()
            while data:
                data = data[os.write(_file, data) :]
        except OSError as error:
            _note_loss(error)


def note_loss(error):
    """Note that a record of torch's trace could not be written."""
    with _lock:
        with contextlib.suppress(OSError):
            _open()
        _note_loss(error)


def _open():
    global _file, _path
    if _file is None:
        _path = os.path.join(folder, f"{os.getpid()}-{time.time_ns()}.jsonl")
        _file = os.open(_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def _note_loss(error):
    """Put the first error's number into the file's name: on a full disk, a name can change, but no file can grow."""
    global _failed
    if _file is None or _failed:
        return
    _failed = True
    number = getattr(error, "errno", None) or errno.EIO
    with contextlib.suppress(OSError):
        os.rename(_path, _path.replace(".jsonl", f"-{number}.jsonl"))


def guarded(action, *args):
    """Call ``action``; its error is a record, as the user's program must not see it."""
    try:
        return action(*args)
    except Exception as error:
        with contextlib.suppress(Exception):  # a value that no JSON can have, say: then there is nothing left to do
            write("error", where=getattr(action, "__name__", ""), message=repr(error)[:LONGEST])
        return None


def after_fork():
    """Go on in a file of its own, in a process that was forked."""
    global _file, _failed, _lock
    if _file is not None:
        os.close(_file)
    _file, _failed = None, False
    _lock = threading.Lock()
