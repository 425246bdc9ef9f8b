"""What ``torch.compile`` returned, and the original in it.

Relies on names that torch keeps private: a compiled function has ``_torchdynamo_orig_callable`` and
``_torchdynamo_wrapper_id``, a compiled module is an ``OptimizedModule`` with ``_orig_mod``, and ``module.compile()``
sets ``_compiled_call_impl``. A compiled class has a compiled ``__call__``, and as a module's class also a compiled
``_call_impl``.
"""

import types
from collections.abc import Iterator
from typing import Any

import torch

#: What ``torch.compile`` sets on the function that it returns. A decorator that uses ``functools.wraps`` copies it.
_MARKS = ("_torchdynamo", "_is_torch_compile", "_isolate_recompiles_id", "aot_compile", "get_compiler_config")


def original_of(fn: Any) -> Any:
    """Return the callable that was given to ``torch.compile``; ``None`` if ``fn`` isn't compiled.

    ``torch.compiler.disable`` wraps in the same way, and what it returns isn't compiled.
    """
    if type(fn).__name__ == "OptimizedModule":
        return fn._orig_mod
    attributes = _attributes(fn)
    if "_torchdynamo_disable" in attributes or "_torchdynamo_orig_callable" not in attributes:
        return None
    original = attributes["_torchdynamo_orig_callable"]
    return types.MethodType(original, fn.__self__) if hasattr(fn, "__func__") else original


def without_compile(fn: Any) -> Any:
    """Return what is called if nothing is compiled. Nothing is changed, so a module compiled in place is the same."""
    while (original := original_of(fn)) is not None and not _is_decorator(fn):
        fn = original
    return fn


def is_compiled_in_place(fn: Any) -> bool:
    """Return whether ``fn`` is a module on which ``compile()`` was called."""
    return isinstance(fn, torch.nn.Module) and getattr(fn, "_compiled_call_impl", None) is not None


def is_compiled(fn: Any) -> bool:
    """Return whether ``fn`` is compiled by ``torch.compile``, in place, or as a module with a compiled method."""
    return original_of(fn) is not None or is_compiled_in_place(fn) or any(_compiled_methods(fn))


def uncompiled(fn: Any) -> Any:
    """Return the original callable, however often it was compiled. A module that was compiled in place is changed back.

    A function that decorates a compiled function stays, without what it copied from that function.
    """
    while (original := original_of(fn)) is not None:
        if _is_decorator(fn):
            _remove_marks(fn)
        else:
            fn = original
    if is_compiled_in_place(fn):
        fn._compiled_call_impl = None
    for owner, name in _compiled_methods(fn):
        setattr(owner, name, uncompiled(getattr(owner, name)))
    return fn


def given_backend(backend: Any) -> Any:
    """Return the backend that ``torch.compile`` was given, without what Dynamo wraps around it."""
    while hasattr(backend, "_torchdynamo_orig_backend"):
        backend = backend._torchdynamo_orig_backend
    return backend


def _compiled_methods(fn: Any) -> Iterator[tuple[Any, str]]:
    """Yield the owner and the name of each compiled method that the call of a module goes through."""
    if isinstance(fn, torch.nn.Module):
        for owner, name in ((fn, "forward"), (type(fn), "__call__"), (type(fn), "_call_impl")):
            if original_of(getattr(owner, name, None)) is not None:
                yield owner, name


def _attributes(fn: Any) -> dict[str, Any]:
    """Return the attributes of a function, or of a method's function. With ``getattr`` a mock would have them all."""
    attributes: dict[str, Any] = getattr(getattr(fn, "__func__", fn), "__dict__", {})
    return attributes


def _is_decorator(fn: Any) -> bool:
    """Return whether ``fn`` copied the attributes of a compiled function, as ``functools.wraps`` does."""
    function = getattr(fn, "__func__", fn)
    return _attributes(fn).get("_torchdynamo_wrapper_id", id(function)) != id(function)


def _remove_marks(fn: Any) -> None:
    attributes = _attributes(fn)
    for name in [name for name in attributes if name.startswith(_MARKS)]:
        del attributes[name]
