"""Weights that a module was given under names that it doesn't have."""

import functools
import sys

from .files import guarded, write
from .stacks import user_stack

_WRAPPER = "_orig_mod."  # what torch.compile(module) puts before each name


def watch_loads(original):
    """Note where ``load_state_dict(…, strict=False)`` leaves names out because of the wrapper's."""

    @functools.wraps(original)
    def load_state_dict(self, state_dict, *args, **kwargs):
        result = original(self, state_dict, *args, **kwargs)
        guarded(_note_names, result, len(state_dict), sys._getframe(1))
        return result

    return load_state_dict


def _note_names(result, given, frame):
    ignored = list(result.unexpected_keys)
    if any(_WRAPPER in name for name in (*ignored, *result.missing_keys)):
        write(
            "names",
            given=given,
            ignored=len(ignored),
            example=(ignored or result.missing_keys)[0],
            stack=user_stack(frame),
        )
