"""What a check is given: the learner's module, and ``capture`` with the answers to what people try instead."""

import re
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
import torch._dynamo

from compile_lessons.api import capture, capture_calls
from compile_lessons.facts import Calls, Pipeline, StageFailure
from compile_lessons.labs.lab import holes
from compile_lessons.labs.wrong import NotDone, Wrong, require
from compile_lessons.pipeline.checks import AlreadyCompiled, CaptureError
from compile_lessons.pipeline.state import current_stance

#: The lesson about settings and decorators that turn the compiler off.
_HATCHES = "dynamo/escape-hatches"
#: In the types of both breaks at such a function: "Skip calling …" and "Skip inlining …".
_DISABLED = "`torch.compiler.disable()`d function"

# "torch.compiler.is_compiling()", "is_dynamo_compiling"
_ASKS = re.compile(r"\bis_(?:dynamo_)?compiling\b")


class Work:
    """The learner's names as attributes, ``work.scaled``, and what checks do with them."""

    def __init__(self, module: types.ModuleType, source: str) -> None:
        self._module, self._holes = module, holes(source)
        #: What a check measured, in sentences for the report.
        self.notes: list[str] = []
        # Comparing takes longer than most captures, so it is for files that can tell the two modes apart.
        self._compares = _ASKS.search(source) is not None

    def __getattr__(self, name: str) -> Any:
        if name in self._holes:
            raise NotDone(f"`{name}` still has its `...`: replace it")
        if not hasattr(self._module, name):
            raise Wrong(f"The file has no `{name}` any more. The checks need it: 'lab reset' restores the stub.")
        return getattr(self._module, name)

    def capture(self, fn: Callable[..., Any], **options: Any) -> Callable[..., Pipeline]:
        """``capture(fn, **options)``. A compile that is turned off, fails or makes no graph is a wrong answer, and so
        is code that asks whether it is being compiled and then computes something else."""

        def captured(*args: Any, **kwargs: Any) -> Pipeline:
            with _refusing(fn):
                pipeline = capture(fn, compare=self._compares, **options)(*args, **kwargs)
            if pipeline.failures:
                raise Wrong(_failed(fn, pipeline.failures[0]))
            require(
                not any(_DISABLED in item.gb_type for item in pipeline.breaks),
                f"`{_name(fn)}` calls a function with `torch.compiler.disable`. That breaks the graph and leaves "
                "this part in eager mode. The compiler has to see the whole function.",
                _HATCHES,
            )
            if pipeline.breaks and not pipeline.graphs:
                raise Wrong(
                    f"`{_name(fn)}` has a graph break that leaves all of it in eager mode: "
                    f"{pipeline.breaks[0].gb_type}. A break inside a loop can have this effect.",
                    "dynamo/inside-a-break",
                )
            require(
                pipeline.graphs,
                f"Nothing of `{_name(fn)}` was compiled: Dynamo made no graph, so every call runs in eager mode.",
                "dynamo/tracing",
            )
            if pipeline.comparison and pipeline.comparison.status == "different":
                raise Wrong(
                    f"Your file asks `torch.compiler.is_compiling()`, and `{_name(fn)}` returns a different result "
                    f"when it is compiled ({pipeline.comparison.reason}). Compiled code has to return what eager mode "
                    "returns, because a caller can't choose which of the two runs.",
                    "pipeline/utilities",
                )
            return pipeline

        return captured

    def calls(self, fn: Callable[..., Any], **options: Any) -> Callable[[Sequence[Any]], Calls]:
        """``capture_calls(fn, **options)`` up to Dynamo's graphs. A call that raises is a wrong answer."""

        def captured(calls: Sequence[Any]) -> Calls:
            with _refusing(fn):
                result = capture_calls(fn, **{"backend": "eager", **options})(calls)
            for call in result.calls:
                if call.error:
                    raise Wrong(_failed(fn, call.error))
            compiled = any(call.compiles for call in result.calls)
            require(compiled, f"Nothing of `{_name(fn)}` was compiled: every call ran in eager mode.", "dynamo/tracing")
            return result

        return captured

    def same(self, actual: Any, expected: Any, what: str) -> None:
        """Raise ``Wrong`` unless both are equal within the tolerance of their dtypes. ``what`` begins the sentence."""
        if not isinstance(actual, type(expected)):
            raise Wrong(f"{what} is of type {type(actual).__name__}, not {type(expected).__name__}: {actual!r:.200}")
        try:
            torch.testing.assert_close(actual, expected, equal_nan=True)
        except AssertionError as error:
            difference = " ".join(str(error).split()).removeprefix("Tensor-likes are not close! ")
            raise Wrong(
                f"{what} differs from what eager mode computes with the original code. Each check draws new "
                f"inputs, so you can't hard-code the result. {difference}",
                "production/wrong-results",
            ) from None


def refuse_settings() -> None:
    """Raise ``Wrong`` where the learner's code has turned off the compiler, or has it swallow its errors."""
    require(
        not torch._dynamo.config.disable,
        "Your file sets `torch._dynamo.config.disable`. Then everything runs in eager mode and there is nothing "
        "to check. Remove the line.",
        _HATCHES,
    )
    require(
        not torch._dynamo.config.suppress_errors,
        "Your file sets `torch._dynamo.config.suppress_errors`. The setting removes no graph break. It hides "
        "what the compiler raises and runs the frame in eager mode. Remove the line and fix the cause.",
        _HATCHES,
    )
    require(
        current_stance() == "default",
        "Your file calls `torch.compiler.set_stance`, which decides whether compiled code runs at all. A check "
        "needs the default stance. Remove the line.",
        "pipeline/stances",
    )


@contextmanager
def _refusing(fn: Any) -> Iterator[None]:
    """Raise ``Wrong`` for a function that ``capture`` refuses, and for one that ``torch.compiler.disable`` wraps."""
    function = type(fn).forward if isinstance(fn, torch.nn.Module) else fn
    require(
        "_torchdynamo_disable" not in getattr(function, "__dict__", {}),
        f"`{_name(fn)}` is wrapped by `torch.compiler.disable`, so it is never compiled: its result is eager "
        "mode's. Remove the wrapper.",
        _HATCHES,
    )
    torch.compiler.reset()
    try:
        yield
    except AlreadyCompiled:
        raise Wrong(
            f"`{_name(fn)}` is already compiled. The checks compile it themselves, to see the graphs: leave "
            "`torch.compile` out.",
            "pipeline/calling",
        ) from None
    except CaptureError as error:
        raise Wrong(f"`{_name(fn)}` can't be compiled: {error}", "pipeline/calling") from None
    refuse_settings()


def _name(fn: Any) -> str:
    return getattr(fn, "__name__", None) or type(fn).__name__


def _failed(fn: Any, failure: StageFailure) -> str:
    where = failure.location
    place = f" Your line {where.line}: {where.text}" if where else ""
    first = failure.message.strip().partition("\n")[0]
    return f"`{_name(fn)}` raised {failure.type} while it was compiled or called: {first}.{place}"
