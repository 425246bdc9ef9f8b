"""Whose file is it, and which of the user's lines led here?"""

import dis
import os
import sysconfig

_DEEPEST = 12  # lines of a stack
_OURS = os.path.dirname(os.path.dirname(__file__))

torch_folder = ""
_standard = sysconfig.get_path("stdlib") + os.sep
_packages = tuple({sysconfig.get_path(name) + os.sep for name in ("purelib", "platlib")})


def is_user_file(file):
    if file.startswith("<"):
        return file.startswith(("<ipython-input-", "<stdin>"))
    if file.startswith((torch_folder, _OURS)):
        return False
    return not file.startswith(_standard) or file.startswith(_packages)


def show_as(watching, original):
    """Have stacks show a function that stands in place of one of torch's as torch's own, by its first line.

    Torch leaves its own files out of the stacks that it prints, and a user need not know of this package.
    """
    code, shown = watching.__code__, original.__code__
    calls = [step.positions.lineno for step in dis.get_instructions(code) if step.argval == "original"]
    watching.__code__ = code.replace(
        co_filename=shown.co_filename,
        co_name=shown.co_name,
        co_qualname=shown.co_qualname,
        co_firstlineno=max(1, shown.co_firstlineno - calls[0] + code.co_firstlineno),
    )


def user_stack(frame):
    """Return the lines outside of torch and Python's own modules that led to ``frame``, the innermost first."""
    stack = []
    while frame is not None and len(stack) < _DEEPEST:
        code = frame.f_code
        if is_user_file(code.co_filename) and frame.f_lineno is not None:  # code that Dynamo wrote may have no line
            stack.append([code.co_filename, frame.f_lineno, code.co_name])
        frame = frame.f_back
    return stack
