"""Parameters of distributions that torch doesn't check, as torch.compile turns that off in the whole process."""

import copy
import sys

from . import calls
from .files import LONGEST, guarded, write
from .stacks import is_user_file, user_stack

_counts: dict = {}  # of distributions that each line has made
_told: set = set()  # lines


def watch(original):
    """Check the parameters of the first distribution that a line makes, of the second, the fourth, and so on."""
    import torch

    was_checked = torch.distributions.Distribution._validate_args

    def __init__(self, *args, **kwargs):
        original(self, *args, **kwargs)
        if torch.compiler.is_compiling():
            return
        if was_checked and not self._validate_args and calls.regions and "_validate_args" not in vars(self):
            guarded(_check, self, original, sys._getframe(1))

    return __init__


def _check(distribution, original, frame):
    caller = frame
    while caller is not None and not is_user_file(caller.f_code.co_filename):
        caller = caller.f_back
    line = caller and (caller.f_code, caller.f_lineno)
    count = _counts[line] = _counts.get(line, 0) + 1
    if count & (count - 1) or line in _told:
        return
    probe = copy.copy(distribution)
    try:
        original(probe, probe._batch_shape, probe._event_shape, True)
    except ValueError as error:
        _told.add(line)
        name = type(distribution).__name__
        write("unchecked", distribution=name, message=str(error)[:LONGEST], stack=user_stack(frame))
