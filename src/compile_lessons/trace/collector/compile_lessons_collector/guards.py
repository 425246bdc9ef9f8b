"""The guards that failed before a recompile, with the values in the call that failed."""

import ast

from .calls import state_of_thread
from .files import LONGEST, guarded

_VERSIONS = 8  # whose guards are written down, the newest ones


def watch_reasons(original):
    """Note the guards that failed."""

    def get_and_maybe_log_recompilation_reasons(entries, frame, *args, **kwargs):
        reasons = original(entries, frame, *args, **kwargs)
        if reasons:
            guarded(_note_reason, reasons, frame)
        return reasons

    return get_and_maybe_log_recompilation_reasons


def _note_reason(reasons, frame):
    texts = [str(reason)[: 4 * LONGEST] for reason in reasons[:_VERSIONS]]
    state_of_thread().reason = [
        {"text": text, "new": _new_value(text, frame), "parameter": _is_parameter(text, frame)} for text in texts
    ]


def _is_parameter(reason, frame):
    """Return whether the guard is on a parameter that is an argument: its sizes stay static."""
    name = reason.partition(": tensor '")[2].partition("' size mismatch")[0]
    return name.isidentifier() and type(frame.f_locals.get(name)).__name__ == "Parameter"


def _new_value(reason, frame):
    """Return the value, as text, that the guard of ``reason`` compared: what it is in the call that failed."""
    left, found, _ = reason.partition(": ")[2].partition(" == ")
    if not found or not left.isprintable():
        return None
    try:
        tree = ast.parse(left.strip(), mode="eval").body
        value = _evaluate(tree, frame)
    except (SyntaxError, LookupError, AttributeError, TypeError, ValueError):
        return None
    is_plain = value is None or isinstance(value, (bool, int, float, str))
    return repr(value)[:80] if is_plain else None


def _evaluate(node, frame):
    """Evaluate names, subscripts, ``len`` and attributes that an object holds itself: no code of the user's runs."""
    if isinstance(node, ast.Name):
        if node.id == "G":
            return frame.f_globals
        return frame.f_locals if node.id == "L" else frame.f_locals[node.id]
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Subscript):
        container, key = _evaluate(node.value, frame), _evaluate(node.slice, frame)
        if type(container) in (dict, list, tuple) or type(container).__getitem__ in (
            dict.__getitem__,
            list.__getitem__,
        ):
            return container[key]
        raise TypeError
    if isinstance(node, ast.Attribute):
        owner = _evaluate(node.value, frame)
        values = object.__getattribute__(owner, "__dict__")
        if node.attr in values:
            return values[node.attr]
        for held in ("_modules", "_parameters", "_buffers"):
            if node.attr in values.get(held, ()):
                return values[held][node.attr]
        raise AttributeError
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1:
        container = _evaluate(node.args[0], frame)
        if isinstance(container, (dict, list, tuple, set)):
            return len(container)
    raise TypeError
