"""Torch's own trace: it is written into the folder of the records, too, and a full disk is not the program's affair."""

import functools
import os
import sys

from . import files
from .files import guarded, note_loss


def watch_handler(handler):
    """Have torch write its trace into the folder of the records, also where the program has it written elsewhere."""
    from torch._logging import _internal as logs

    if handler.root_dir is None:  # it would remove itself
        handler.root_dir = files.folder
    if handler.root_dir != files.folder:
        ours = logs.LazyTraceHandler(files.folder)
        ours.setFormatter(logs.TorchLogsFormatter(trace=True))
        logs.trace_log.addHandler(ours)
    return handler


def watch_emit(original):
    """Note a record for which there is no file. Once the folder is gone, drop all: torch would make it again."""

    def emit(self, record):
        if self.root_dir == files.folder and not os.path.isdir(files.folder):
            return
        try:
            original(self, record)
        except OSError as error:
            if self.root_dir != files.folder:
                raise
            note_loss(error)

    return emit


def watch_errors(original):
    """Note a record that can't be written, which ``logging`` else prints."""

    def handleError(self, record):
        if self.root_dir == files.folder:
            note_loss(sys.exc_info()[1])
        else:
            original(self, record)

    return handleError


def watch_format(original):
    """Have torch's trace take every text: torch opens the file in the encoding of the locale, which may be ASCII."""

    def format(self, record):
        if getattr(self.stream, "errors", "") == "strict":
            guarded(functools.partial(self.stream.reconfigure, encoding="utf-8", errors="backslashreplace"))
        return original(self, record)

    return format
