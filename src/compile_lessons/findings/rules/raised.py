"""Exceptions of a program that passed through compiled code, a compile or the backward pass of compiled code."""

import re
from collections.abc import Iterator

import msgspec

from compile_lessons.facts.run import Compile, Process, Raised, Run
from compile_lessons.facts.source import Location, innermost, is_generated, stack_in
from compile_lessons.findings.catalogue import Entry, Fix, catalogue, explain_break, explain_message, fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.guards import line_of, most_telling
from compile_lessons.findings.rules.compile_time import STOPPED
from compile_lessons.findings.uses import by_use
from compile_lessons.ground.words import counted, file_line, shorten

#: Characters of a message.
_MESSAGE = 160
#: torch's address of a graph break: ``…/gb/gb0170.html``.
_GB = re.compile(r"/gb(\d+)\.html")
#: Folders whose code traces, compiles, or runs what was compiled.
_COMPILER = re.compile(
    r"[/\\](?:torch[/\\](?:_dynamo|_functorch|_higher_order_ops|_inductor|_subclasses|fx)|triton)[/\\]"
)
#: Modules of exceptions that only the compiler raises.
_MODULES = ("torch._dynamo", "torch._inductor")
#: The beginning of what torch adds to a message of its own.
_ADDED = re.compile(
    r"\n\s*(?:Explanation:|Hint:|Developer debug|For more details|from user code|User code|Set TORCH)|\n\n\n"
)
#: The error of an operator on fake tensors, which torch quotes: ``got RuntimeError('a and b must have …')``.
_QUOTED = re.compile(r"""\bgot (?P<type>[A-Z]\w*)\((?P<quote>['"])(?P<message>.+?)(?P=quote)\)""", re.DOTALL)
#: The file of a kernel, in the message of a check in its code, and a hint of torch's in the middle of one.
_NOISE = re.compile(r"^kernel, \S+:\d+, | For more information, run with TORCH_LOGS=\S+")


def exceptions_of_program(run: Run) -> Iterator[Finding]:
    """Yield a finding for each exception that ended the program or a thread, and advice for each that was caught."""
    for process in run.processes:
        ended = ends(run, process)
        for each in process.raised:
            item = _failed(process, each)
            if each in ended:
                yield _finding(run, process, each, item)
            caught = each.count - (each in ended)
            if caught and each.when and item is None and _is_of_compiler(each):
                yield _caught(process, each, caught)


def failed_compiles(run: Run) -> Iterator[Finding]:
    """Yield a finding for each function whose compile raised, and the program went on."""
    for process in run.processes:
        ended = [_failed(process, each) for each in ends(run, process)]
        for item in process.compiles:
            reason = item.reason or ""
            failed = item.outcome == "failed" and not item.nested and reason and not reason.startswith(STOPPED)
            if failed and item not in ended:
                yield _of_compile(process, item, reason)


def ends(run: Run, process: Process) -> list[Raised]:
    """Return the exceptions that ended a process or its threads. What led to one of these is no other one."""
    ended = [each for each in process.raised if _is_end(run, process, each)]
    left = [each for each in ended if each.when] or [each for each in ended if each.ends == "program"][:1]
    return left + [each for each in ended if each.ends == "thread" and each not in left]


def _is_end(run: Run, process: Process, each: Raised) -> bool:
    """Return whether the program, or a thread, ended with this exception, and torch.compile had a part in it."""
    if each.ends == "thread":
        ended = True
    elif run.stopped or not run.status:
        ended = False
    else:  # a program may print an exception itself, and exit; so may what starts a process
        goes_on = any(span.start > each.time for span in process.spans) or any(
            other.ends == "program" for other in process.raised
        )
        ended = each.ends == "program" or (each.when != "" and not goes_on)
    if each.when == "call":
        return ended and (each.ends != "" or _is_of_compiler(each))
    return ended and (_is_of_compiler(each) or _is_outside(process, each))


def _is_of_compiler(each: Raised) -> bool:
    """Return whether the compiler, or code that it generated, raised: no code of the program's, or of a library's."""
    return each.module.startswith(_MODULES) or any(
        _COMPILER.search(frame.file) or is_generated(frame.file) for frame in each.below
    )


def _is_outside(process: Process, each: Raised) -> bool:
    """Return whether torch raises this in the program's own code, for what torch.compile did."""
    entry = _entry(each)
    return bool(process.regions) and entry is not None and entry.outside


def _entry(each: Raised) -> Entry | None:
    """Return what the catalogue has on the message; where that says nothing, on the lines of torch that raised it."""
    frames = "\n".join(f'File "{frame.file}", line {frame.line}, in {frame.function}' for frame in each.below)
    return explain_message(_without_code(f"{each.type}: {each.message}")) or explain_message(frames)


def _without_code(message: str) -> str:
    """Return a message of torch's without the lines of the program that it ends with."""
    return message.partition("\nfrom user code:")[0].partition("\nUser code traceback:")[0]


def _failed(process: Process, each: Raised) -> Compile | None:
    """Return the compile that the exception ended, if it is one of a compile."""
    text = f"{each.type}: {each.message}"[:1000]
    same = (item for item in process.compiles if item.outcome == "failed" and (item.reason or "").startswith(text))
    return next((item for item in same if each.when == "call" and item.region == each.region), None)


# ---------------------------------------------------------------------------------------------------- findings


def _finding(run: Run, process: Process, each: Raised, item: Compile | None) -> Finding:
    who = f"thread {each.thread}" if each.ends == "thread" else "the program"
    end = f"{who} ended with" if each.ends else f"the program ended with status {run.status}, after"
    is_own = not _is_of_compiler(each) and not _is_outside(process, each)
    own = Fix(rule="exception", remedy="")  # there is nothing to say about an exception of the program's own
    return finding(
        own if is_own else _fix_of(each, item, "exception" if item is None else "compile-failed"),
        f"{end} {_message(each)}{_place(process, each, item)}",
        where=_where(process, each, item),
        evidence=(_eager(each, is_own),),
    )


def _caught(process: Process, each: Raised, count: int) -> Finding:
    more = f"{counted(count, 'time')}, and the program caught it and went on"
    return finding(
        _fix_of(each, None, "caught-exception"),
        f"{_message(each)}{_place(process, each, None)}: {more}",
        advice=True,
        where=_where(process, each, None),
        evidence=("" if each.main_thread else f"in thread {each.thread}", _eager(each, False)),
    )


def _place(process: Process, each: Raised, item: Compile | None) -> str:
    if item is not None:
        return f", when {process.name_of(item)} was compiled"
    if each.when == "backward":
        return ", in the backward pass of compiled code"
    region = process.region(each.region)
    return f", in a call of {region.name}" if region else ""


def _where(process: Process, each: Raised, item: Compile | None) -> tuple[Location | None, ...]:
    """Return the lines. Compiled code has no lines of the program's: its frame is at the function's first line."""
    region = process.region(each.region)
    inside = innermost(stack_in(each.message)) if item else None
    use = region.use if region else None
    compiled = {(item.code.file, item.code.line) for item in process.compiles}
    if each.place in compiled:
        return innermost(reversed(each.stack)), each.line, use
    return inside, each.line, use


def _message(each: Raised) -> str:
    """Return the class and the message in one line, without what torch adds."""
    if quoted := _QUOTED.search(each.message):
        text = f"{quoted['type']}: {quoted['message']}"
    else:
        text = _NOISE.sub("", _ADDED.split(each.message.strip())[0])
    if not text and each.below:
        last = each.below[-1]
        text = f"no message, from {last.function}, {file_line(last.file, last.line)}"
    return shorten(f"{each.type}: {text}" if text else each.type, _MESSAGE).rstrip(".")


def _eager(each: Raised, is_own: bool) -> str:
    """Return whether eager mode raises it too."""
    if is_own:
        return "it is the program's own exception: eager mode raises it too"
    entry = _entry(each)
    if entry is not None and entry.eager is not None:
        likely = entry.eager
    elif each.module.startswith(_MODULES):
        likely = False
    else:
        return "whether eager mode raises it too: TORCH_COMPILE_DISABLE=1 runs the program in eager mode"
    return "eager mode is likely to raise it too" if likely else "eager mode does not raise it"


def _fix_of(each: Raised, item: Compile | None, rule: str) -> Fix:
    if item is not None:
        return msgspec.structs.replace(_fix(item, _first(item.reason or "")), rule=rule)
    entry = _entry(each)
    return entry.fix(rule) if entry is not None else fix(rule)


def _of_compile(process: Process, item: Compile, reason: str) -> Finding:
    first, rest = _first(reason), reason.partition("\n")[2]
    return finding(
        _fix(item, first),
        f"compiling {process.name_of(item)} failed: {shorten(first, 100)}",
        where=(innermost(stack_in(reason)), process.use_of(item), item.code),
        evidence=(shorten(rest.partition("Explanation: ")[2].partition("\n")[0], 160),),
    )


def _first(reason: str) -> str:
    """Return the first line of a message. The error of a backend follows it."""
    first, _, rest = reason.partition("\n")
    return f"{first} {rest.partition(chr(10))[0]}" if first.endswith("raised:") else first


def _fix(item: Compile, message: str) -> Fix:
    """Return what to do about an exception. What goes on without the cause leaves one function, or Inductor, out."""
    rule = "compile-failed"
    if message.startswith("Unsupported"):
        link = _GB.search(item.reason or "")
        known = explain_break(f"GB{link[1]}", item.reason or "") if link else None
        if known and known.remedy:
            return known.fix(rule)
        return fix(rule, "break")
    if item.guards and "RecompileLimit" in message:  # fullgraph=True, or a setting, makes it an error
        guard = most_telling(item.guards)
        guard = by_use(guard, line_of(guard, [item]) or item.code)
        return Fix(rule=rule, remedy=guard.remedy, lesson=guard.lesson)
    entry = explain_message(_without_code(item.reason or ""))
    if entry is not None and (entry.eager or entry not in catalogue().tables["classes"].rows):  # others say too little
        return entry.fix(rule)
    is_backend = message.startswith(("BackendCompilerFailed", "InductorError"))
    return fix(rule, "backend" if is_backend else "any", function=item.code.function)
