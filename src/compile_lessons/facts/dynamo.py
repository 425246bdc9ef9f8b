"""What Dynamo did with one frame: bytecode, guards, graph breaks, and frames that it skipped."""

from __future__ import annotations

from dataclasses import dataclass

from compile_lessons.facts.part import Part
from compile_lessons.facts.source import Location


@dataclass(frozen=True, kw_only=True)
class Instruction(Part):
    """A bytecode instruction: byte offset, source line (``None`` for code that Dynamo wrote), name and argument."""

    offset: int
    line: int | None
    opname: str
    argument: str


@dataclass(frozen=True, kw_only=True)
class Guard(Part):
    """A condition under which the compiled code can be reused.

    ``kind`` is the guard's constructor in torch (``TENSOR_MATCH``, ``SHAPE_ENV``, …), ``source`` the expression that
    it checks (``L['x']``), ``checks`` the conditions in torch's words, ``words`` the same in English, and ``location``
    the user's line that caused the guard, if torch kept it. Torch's ``SHAPE_ENV`` guard, which holds all conditions on
    sizes, is one guard per condition here.

    ``value`` is what the source has to be, where that can be written down: a literal (``3``, ``'sdpa'``), a type
    (``torch.nn.modules.linear.Linear``), or a tensor's dtype and sizes (``float32[2, 16]``); empty for other guards.
    """

    kind: str
    source: str
    checks: tuple[str, ...]
    words: str
    location: Location | None
    value: str = ""


@dataclass(frozen=True, kw_only=True)
class GuardNode(Part):
    """A node of the guard tree: the value (``accessor``), the checks on it, and the values reached from it."""

    accessor: str
    checks: tuple[str, ...]
    children: tuple[GuardNode, ...]


@dataclass(frozen=True, kw_only=True)
class Break(Part):
    """A graph break. ``gb_id`` (``GB0170``) is its number in torch's registry; ``None`` if it is not there.

    ``stack`` are the user's frames that were compiled, innermost last; a library that the user installed counts.
    ``callers`` are the user's frames that called the compiled frame, innermost last.
    """

    gb_type: str
    gb_id: str | None
    explanation: str = ""
    hints: tuple[str, ...] = ()
    context: str = ""
    stack: tuple[Location, ...] = ()
    callers: tuple[Location, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Skip(Part):
    """A frame that runs in eager mode because Dynamo skipped it, and the reason that Dynamo gave, if any."""

    function: str
    file: str
    line: int
    reason: str
