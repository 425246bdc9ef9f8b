"""What was raised, as data: the stage, a message without torch's advice, and the user's line."""

import re

from torch._dynamo.exc import BackendCompilerFailed

from compile_lessons.facts import Location, StageFailure
from compile_lessons.ground.errors import message_of
from compile_lessons.pipeline.locations import from_stack_trace, from_traceback, user_frames

#: What Dynamo adds below a message, and torch.fx below that of a node that failed. In
#: ``"size mismatch\n\nfrom user code:\n  File …"`` the message ends before the two line breaks.
_ADDED = re.compile(r"\n\s*(?:from user code:|Set TORCHDYNAMO_VERBOSE=1|While executing %|Original traceback:)")

#: What torch writes into its messages beside the reason and the remedy: an empty heading, links, a list of backends.
_BESIDE = re.compile(
    r"\n\s*Developer debug context:\s*(?=\n\s*For more details|$)"
    r"|\n\s*For more details about this graph break, please visit: \S+"
    r"|(?s: This could be because the operator doesn't exist for this backend, or was omitted.*)"
)
#: The parts of Dynamo's messages, which are sentences, though torch indents them like code.
_INDENTED = re.compile(r"^ +(?=(?:Explanation|Hint|Developer debug context): )", re.MULTILINE)


def failure(error: BaseException, stage: str = "") -> StageFailure:
    """Return an exception as data. Without a ``stage`` its class decides."""
    # Dynamo wraps what a backend raised. InductorError is a subclass, which says more than what it wraps.
    cause = error.inner_exception if type(error) is BackendCompilerFailed else error
    return StageFailure(
        stage=stage or _stage(cause, of_backend=cause is not error),
        type=type(cause).__name__,
        message=_message(cause),
        location=_location(cause) or _location(error),
    )


def _stage(error: BaseException, of_backend: bool) -> str:
    """Return the stage that an exception belongs to, by the module of its class."""
    module = type(error).__module__
    if module.startswith("torch._inductor"):
        return "inductor"
    if of_backend:
        return "aot"
    return "dynamo" if module.startswith("torch._dynamo") else "compiled call"


def _message(error: BaseException) -> str:
    message = _INDENTED.sub("", _BESIDE.sub("", _ADDED.split(message_of(error))[0])).strip()
    if "InvalidCxxCompiler" in message:
        message += "\nFix: install g++ or clang++, or name your compiler in the environment variable CXX"
    return message


def _location(error: BaseException) -> Location | None:
    """The user's line: as Dynamo traced it, as the failed node of a graph has it, or where the exception passed."""
    for raised in (error, error.__context__):  # torch 2.11 leaves the stack of an internal error with what it wraps
        if traced := user_frames(getattr(raised, "real_stack", None)):
            return traced[-1]
    node = from_stack_trace(message_of(error).partition("Original traceback:")[2])
    return node or from_traceback(error.__traceback__)
