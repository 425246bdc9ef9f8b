"""Compiled against eager mode, and the exceptions of a run."""

from dataclasses import dataclass
from typing import Literal

from compile_lessons.facts.part import Part
from compile_lessons.facts.source import Location

#: What a compared value is: ``state`` is what the call changed beside its arguments.
ValueKind = Literal["output", "gradient", "input", "state"]


@dataclass(frozen=True, kw_only=True)
class Compared(Part):
    """One value of the compiled run, compared with the same value of the eager run.

    ``max_difference`` is ``None`` for what has no numbers to subtract, and where an infinity or NaN stands in one run
    alone.
    """

    kind: ValueKind
    path: str
    equal: bool
    max_difference: float | None
    tolerance: float | None


@dataclass(frozen=True, kw_only=True)
class Origin(Part):
    """Where results begin to differ from eager mode.

    ``backend`` is the first of torch's backends ``eager``, ``aot_eager``, ``aot_eager_decomp_partition`` and
    ``inductor`` whose results differ, and ``stage`` what it adds to those before it. ``step`` is the part of the stage
    that makes the difference, and ``location`` the first line that computes something else. Either may be unknown.
    """

    backend: str
    stage: str
    step: str
    location: Location | None


@dataclass(frozen=True, kw_only=True)
class EagerComparison(Part):
    """The results of the compiled run, compared with those of eager mode.

    Results are the outputs, gradients, and what the call changed in its arguments and in attributes and globals that
    it can reach. Of an output, the type, the strides, ``requires_grad`` and whose memory it has count too.

    A result may differ by the share of its size that its dtype allows (``compare.TOLERANCES``). If a result differs by
    more, eager mode runs again with the inputs and the result of each operation changed by up to a tenth of that share,
    and the compiled result may differ by as much as eager's then does. Inductor's random numbers differ from eager's,
    so a function that draws any is compiled once more, for the comparison alone, with
    ``torch._inductor.config.fallback_random`` and without ``layout_optimization``; ``values`` are those of that
    compile.

    If results differ, ``origin`` says where that begins, as far as it can be told.
    ``reason`` says which of these happened and in which operation other roundings grow most, why results were not
    compared, and which values could not be.
    """

    status: Literal["equal", "different", "not compared"]
    reason: str
    values: tuple[Compared, ...]
    origin: Origin | None = None


@dataclass(frozen=True, kw_only=True)
class StageFailure(Part):
    """An exception: the stage that raised it, its type and message, and the user's line unless it is unknown."""

    stage: str
    type: str
    message: str
    location: Location | None
