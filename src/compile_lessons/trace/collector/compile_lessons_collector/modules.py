"""Hooks that compiled code doesn't run, copies of modules whose compiled code is the original's, and weights that a
module was given under names that it doesn't have."""

import functools
import sys
import types
import weakref

from .files import guarded, write
from .stacks import user_stack

_MODULES = 16  # of one use of torch.compile, that are remembered
_WRAPPER = "_orig_mod."  # what torch.compile(module) puts before each name

_roots: dict = {}  # by region: weak references to modules, each with whether hooks of its own run outside of the code


def note(number, fn):
    """Remember the modules that a use of torch.compile compiles."""
    fn = unwrap(fn)
    owner = fn if is_module(fn) else getattr(fn, "__self__", None)
    if is_module(owner):
        _roots[number] = [(weakref.ref(owner), True)]
    elif isinstance(fn, types.FunctionType):
        found = [fn.__globals__.get(name) for name in fn.__code__.co_names]
        found += [cell.cell_contents for cell in fn.__closure__ or () if cell != types.CellType()]
        _roots[number] = [(weakref.ref(module), False) for module in found if is_module(module)][:_MODULES]


def is_module(value):
    return hasattr(type(value), "_wrapped_call_impl")


def unwrap(fn):
    """Return the module around which torch has put a function, as around those of torch's own; else ``fn``."""
    inner = getattr(fn, "__wrapped__", None)
    return inner if is_module(inner) else fn


def leave_out(compiled, fn, number):
    """Return what torch.compile was given, which has itself as what the wrapper is around."""
    if is_module(fn):
        vars(fn)["_orig_mod"] = fn  # no module of it: it has no names
    return fn


def watch_hooks(original):
    """Note each hook of a module inside of a module that is compiled."""

    @functools.wraps(original)
    def register(self, *args, **kwargs):
        handle = original(self, *args, **kwargs)
        if _roots:
            guarded(_note_hook, self, original.__name__, sys._getframe(1))
        return handle

    return register


def _note_hook(module, kind, frame):
    for region, roots in list(_roots.items()):
        for root, is_called in ((root(), is_called) for root, is_called in roots):
            if root is None or (root is module and is_called):
                continue
            names = [name for name, each in root.named_modules() if each is module]
            if names:
                name = f"{type(root).__name__}.{names[0]}".rstrip(".")
                write("hook", region=region, kind=kind, module=name, stack=user_stack(frame))


def watch_copies(original):
    """Note each copy of a module that holds a compiled method of the original."""

    @functools.wraps(original)
    def __setstate__(self, state):
        original(self, state)
        if _roots:
            guarded(_note_copy, self, sys._getframe(1))

    return __setstate__


def _note_copy(module, frame):
    for name, value in vars(module).items():
        owner = getattr(getattr(value, "_torchdynamo_orig_callable", None), "__self__", None)
        if is_module(owner) and owner is not module:
            write("copy", module=type(module).__name__, attribute=name, stack=user_stack(frame))


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
