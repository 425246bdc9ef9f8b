"""Which line of the user's source became what, in each stage."""

from dataclasses import dataclass

from compile_lessons.facts.part import Part


@dataclass(frozen=True, kw_only=True)
class Line(Part):
    """One line of user source in one frame, with everything in each stage that torch traces back to it.

    ``bytecode`` are offsets in the frame's original code, the others names in the stages of the frame's graph. The name
    of a node in a subgraph begins with the subgraph's: ``true_graph_0.mm``. ``code`` are lines of the output code:
    ``forward:154`` is line 154 of the forward graph's.
    """

    frame: str
    file: str
    line: int
    text: str
    bytecode: tuple[int, ...] = ()
    dynamo: tuple[str, ...]
    forward: tuple[str, ...]
    backward: tuple[str, ...]
    buffers: tuple[str, ...] = ()
    kernels: tuple[str, ...] = ()
    code: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Lines(Part):
    """The mapping between lines and stages. ``unknown`` are names that lead to no line: ``0/0 backward: add_3``."""

    lines: tuple[Line, ...]
    unknown: tuple[str, ...] = ()

    def at(self, line: int) -> tuple[Line, ...]:
        """Return the entries of one source line, one per frame."""
        return tuple(entry for entry in self.lines if entry.line == line)
