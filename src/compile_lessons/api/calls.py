"""Several calls of one compiled function, and counters of graphs, breaks and recompiles."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from typing import Any

import torch

from compile_lessons.facts import CacheEntry, Call, CallOutcome, Calls, StageFailure
from compile_lessons.ground.arguments import Step, call_arguments, calls_and_steps
from compile_lessons.ground.words import shorten
from compile_lessons.pipeline.checks import CaptureError, check_callable, check_inputs, check_settings, name_of

_LONGEST_ARGUMENT = 40  # characters of a cell


def capture_calls(
    fn: Callable[..., Any],
    *,
    dynamic: bool | None = None,
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    fullgraph: bool = False,
    backend: str = "inductor",
    compare: bool = False,
    observe: bool = False,
    within: Callable[[], AbstractContextManager[Any]] = nullcontext,
) -> Callable[[Sequence[Any]], Calls]:
    """Call one compiled ``fn`` several times: ``capture_calls(fn)([(x,), (y,)])`` returns ``Calls``.

    Each call is a tuple of positional arguments, a dict of keyword arguments, or a pair ``(args, kwargs)`` of a tuple
    and a dict. A function, a method or a partial is no call: it is run before the next call, as a scheduler's step is
    in a training loop. Anything else, including a list, is passed as one argument. The other options are those of
    ``torch.compile``; ``backend="aot_eager"`` stops after AOTAutograd, which is enough for guards and recompiles and
    needs no C++ compiler. ``backend="eager"`` stops after Dynamo; AOTAutograd adds guards, for example on a float that
    an operator such as ``clamp`` takes. If a call raises an exception, the exception is recorded and the next calls
    still run. Raises ``CaptureError`` as ``capture`` does. The compiled code is dropped at the end.

    With ``compare=True`` the calls are also made in eager mode and, with Inductor and torch's compile caches, as a
    program would make them; ``Call.comparison`` says whether the results match. See ``compile_lessons.api.compare``.

    ``observe`` and ``within`` are those of ``capture``. To observe, ``backend`` takes the place of Inductor in the
    program's own compiles.
    """
    check_callable(fn, observe)
    check_settings(mode, options)
    if observe and (dynamic is not None or mode or options or fullgraph):
        raise CaptureError("observe=True keeps the program's own options: leave dynamic, mode, options, fullgraph out")

    def captured(calls: Sequence[Any]) -> Calls:
        from compile_lessons.pipeline import backends  # imports torch._dynamo, as session does: seconds
        from compile_lessons.pipeline.programs import circumstances
        from compile_lessons.pipeline.session import CaptureSettings, session

        given, steps = calls_and_steps(calls)
        prepared = [call_arguments(call) for call in given]
        for args, kwargs in prepared:
            check_inputs(fn, args, kwargs)
        settings = CaptureSettings(
            dynamic=dynamic, mode=mode, options=options, fullgraph=fullgraph, observe=observe, within=within
        )
        with ExitStack() as stack:
            compare_calls = None
            if compare:
                from compile_lessons.api.compare import calls_to_compare  # here, as it imports Inductor

                compare_calls = calls_to_compare(stack, fn, prepared, settings, steps)
            with session(settings) as watched:
                compiled = watched.compile(fn, backends.lookup(backend))
                results = [_call(watched, compiled, i, *call, steps[i]) for i, call in enumerate(prepared)]
            if compare_calls:
                results = [replace(call, comparison=it) for call, it in zip(results, compare_calls(), strict=True)]
        own = circumstances(watched.dynamo.programs) if observe else ()
        return Calls(function=name_of(fn), calls=tuple(results), circumstances=own)

    return captured


def _call(
    watched: Any,
    compiled: Callable[..., Any],
    index: int,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    steps: list[Step],
) -> Call:
    from compile_lessons.pipeline.failures import failure

    frames, failed = watched.dynamo.frames, watched.guards.failed
    earlier, seen, runs = set(frames), len(failed), watched.dynamo.runs
    compiled_before = {notes.code for notes in frames.values() if notes.rewritten is not None}
    error = None
    try:
        for step in steps:
            step()
        with watched.settings.within():
            compiled(*args, **kwargs)
    except (Exception, SystemExit) as raised:
        error = failure(raised)
    new = [name for name in frames if name not in earlier and frames[name].rewritten is not None]
    again = [name for name in new if frames[name].code in compiled_before]
    outcome = _outcome(error, new, again, watched.dynamo.runs > runs)
    reasons = tuple(dict.fromkeys(failed[seen:]))
    described = [*map(_describe, args), *(f"{name}={_describe(value)}" for name, value in kwargs.items())]
    return Call(
        index=index,
        arguments=", ".join(described),
        outcome=outcome,
        failed=reasons,
        failed_at=tuple(map(watched.guards.failed_at.get, reasons)),
        compiles=len(new),
        recompiles=len(again),
        entries=_entries(watched),
        skipped=watched.dynamo.skips[-1].reason if outcome == "eager" and watched.dynamo.skips else "",
        error=error,
        comparison=None,
    )


def _outcome(error: StageFailure | None, new: list[str], again: list[str], ran: bool) -> CallOutcome:
    if error is not None:
        return "error"
    if new:
        return "recompile" if again else "compile"
    return "hit" if ran else "eager"


def _entries(watched: Any) -> tuple[CacheEntry, ...]:
    from compile_lessons.pipeline import state

    return tuple(
        CacheEntry(function=code.co_name, file=code.co_filename, line=code.co_firstlineno, entries=number)
        for code, before in watched.dynamo.before.entries.items()
        if (number := state.compiled_versions(code) - before)
    )


def _describe(value: Any) -> str:
    """Return an argument in a few words; a tensor, in a container too, by its dtype and shape."""
    try:
        return shorten(_words(value), _LONGEST_ARGUMENT)
    except Exception:  # the reader's own __repr__; the calls are worth more than this cell
        return f"<{type(value).__name__}>"


def _words(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    if type(value) is dict:
        return f"{{{', '.join(f'{key!r}: {_words(item)}' for key, item in value.items())}}}"
    if type(value) in (list, tuple):
        items = ", ".join(map(_words, value))
        return f"[{items}]" if type(value) is list else f"({items}{',' if len(value) == 1 else ''})"
    text = repr(value)
    return f"<{type(value).__name__}>" if "tensor(" in text else text


def count_graphs(fn: Callable[..., Any]) -> Callable[..., int]:
    """Count the graphs that Dynamo makes in one call: ``count_graphs(fn)(*args)``. No later stage runs."""
    return lambda *args, **kwargs: sum(frame.graph is not None for frame in _dynamo_only(fn, args, kwargs))


def count_breaks(fn: Callable[..., Any]) -> Callable[..., int]:
    """Count the graph breaks in one call: ``count_breaks(fn)(*args)``. A break without a graph after it counts too."""
    return lambda *args, **kwargs: sum(len(frame.breaks) for frame in _dynamo_only(fn, args, kwargs))


def _dynamo_only(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    from compile_lessons.pipeline import backends
    from compile_lessons.pipeline.session import CaptureSettings, session

    check_callable(fn)
    check_inputs(fn, args, kwargs)
    with session(CaptureSettings(until="dynamo")) as watched:
        watched.compile(fn, backends.eager)(*args, **kwargs)
        return list(watched.dynamo.frames.values())


def count_recompiles(fn: Callable[..., Any], **options: Any) -> Callable[[Sequence[Any]], int]:
    """Count the frames that are compiled again in a list of calls: ``count_recompiles(fn)(calls)``.

    Calls have the forms that ``capture_calls`` takes, and ``options`` are options of ``capture_calls``.

    Raises ``CaptureError`` if a call raises an exception, because a count of failed calls would be misleading.
    """

    def count(calls: Sequence[Any]) -> int:
        captured = capture_calls(fn, backend="aot_eager", **options)(calls)
        errors = [call.error for call in captured.calls if call.error]
        if errors:
            raise CaptureError(f"a call raised: {errors[0].type}: {errors[0].message}")
        return captured.recompiles

    return count
