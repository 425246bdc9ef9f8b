"""What the server and its worker tell each other, one JSON object a line."""

from typing import Literal

import msgspec

#: The stages at which the panes are shown: Dynamo's graph, then Inductor's code, then machine code.
Stage = Literal["dynamo", "code", "machine"]


class Settings(msgspec.Struct, frozen=True):
    """The switches of the page. What is empty is left as the file has it."""

    name: str = ""
    inputs: str = ""
    target: str = "cpu"
    dtype: Literal["", "float32", "bfloat16", "float16", "float64"] = ""
    dynamic: Literal["", "True", "False"] = ""
    mode: Literal["", "default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs"] = ""
    training: Literal["", "training", "inference"] = ""
    #: Whether a run goes on to the machine code, whose panes are then open.
    machine: bool = False


class RunText(msgspec.Struct, frozen=True, tag=True):
    """Compile this text in place of what runs now."""

    run: int
    text: str
    settings: Settings


class Stop(msgspec.Struct, frozen=True, tag=True):
    """End what runs now."""


class Ready(msgspec.Struct, frozen=True, tag=True):
    """The worker has torch loaded."""


class Names(msgspec.Struct, frozen=True, tag=True):
    """What can be explored in the file, and what is explored."""

    run: int
    names: list[str]
    chosen: str


class Panes(msgspec.Struct, frozen=True, tag=True):
    """The page of the panes after a stage, ``seconds`` after the run began."""

    run: int
    stage: Stage
    html: str
    seconds: float


class CompileProblem(msgspec.Struct, frozen=True):
    """What went wrong, and the line of the text if it is known."""

    message: str
    line: int | None = None


class End(msgspec.Struct, frozen=True, tag=True):
    """The run has ended, and nothing of it is left. ``output`` is the end of what it wrote to its streams."""

    run: int
    problem: CompileProblem | None = None
    output: str = ""


Command = RunText | Stop
Answer = Ready | Names | Panes | End
