"""The lines of a kernel's Triton file that Triton's IR names: ``loc(…)`` in TTIR and TTGIR, ``!dbg`` in LLVM IR.

What was inlined from another file, such as Triton's standard library, counts for the line that called it. A location
without a line of the kernel's own file counts for none. The file may have empty lines above the source that the facts
hold; the line of the kernel's ``def``, which the IR names too, tells how many.
"""

import re

#: ``#loc12 = loc("/tmp/cabc.py":37:24)``, ``#loc30 = loc("tmp6"(#loc12))``, ``#loc3 = loc(callsite(#loc1 at #loc2))``
_LOC = re.compile(r"^(#loc\d*) = loc\((.*)\)$")
_PLACE = re.compile(r'"([^"]*)":(\d+):\d+')
_NAMED = re.compile(r'"[^"]*"\((#loc\d*)\)')
_CALLSITE = re.compile(r"callsite\((#loc\d*) at (#loc\d*)\)")
#: The location at the end of an operation.
_AT = re.compile(r"loc\((#loc\d*)\)$")
#: ``!13 = !DILocation(line: 32, column: 30, scope: !4, inlinedAt: !18)``, ``!4 = distinct !DISubprogram(…)``
_META = re.compile(r"^(!\d+) = (?:distinct )?!DI(\w+)\((.*)\)$")
_DBG = re.compile(r"!dbg (!\d+)")


def ttir_lines(text: str, source: str, kernel: str) -> dict[int, int]:
    """Return the line of ``source`` that each line of TTIR or TTGIR names, both counted from 1."""
    lines = text.splitlines()
    locations = {match[1]: match[2] for line in lines if (match := _LOC.match(line))}
    own = _PLACE.fullmatch(locations.get("#loc", ""))  # that of the kernel itself
    if own is None:
        return {}
    above = int(own[2]) - _def_line(source, kernel)
    named = {
        number: _ttir_line(match[1], locations, own[1]) - above
        for number, line in enumerate(lines, 1)
        if line.startswith("    ") and (match := _AT.search(line))
    }
    return _inside(named, source)


def _ttir_line(location: str, locations: dict[str, str], file: str) -> int:
    """Follow a location to a line of the file; a number that is in no file if it names none."""
    text = locations.get(location, "")
    if match := _PLACE.fullmatch(text):
        return int(match[2]) if match[1] == file else -1
    if match := _NAMED.fullmatch(text):
        return _ttir_line(match[1], locations, file)
    if match := _CALLSITE.fullmatch(text):
        caller = _ttir_line(match[2], locations, file)
        return caller if caller > 0 else _ttir_line(match[1], locations, file)
    return -1


def llvm_lines(text: str, source: str, kernel: str) -> dict[int, int]:
    """Return the line of ``source`` that each line of LLVM IR names, both counted from 1."""
    lines = text.splitlines()
    meta = {match[1]: (match[2], match[3]) for line in lines if (match := _META.match(line))}
    programs = [rest for kind, rest in meta.values() if kind == "Subprogram" and f'name: "{kernel}"' in rest]
    if len(programs) != 1:
        return {}
    file, above = _field(programs[0], "file"), int(_field(programs[0], "line")) - _def_line(source, kernel)
    named = {
        number: _llvm_line(match[1], meta, file) - above
        for number, line in enumerate(lines, 1)
        if line.startswith("  ") and (match := _DBG.search(line))
    }
    return _inside(named, source)


def _llvm_line(location: str, meta: dict[str, tuple[str, str]], file: str) -> int:
    """Follow a location to the outermost line of the file; a number that is in no file if it names none."""
    kind, text = meta.get(location, ("", ""))
    if kind != "Location":
        return -1
    caller = _field(text, "inlinedAt")
    line = _llvm_line(caller, meta, file) if caller else -1
    if line > 0:
        return line
    _, scope = meta.get(_field(text, "scope"), ("", ""))
    return int(_field(text, "line") or -1) if _field(scope, "file") == file else -1


def _field(text: str, name: str) -> str:
    match = re.search(rf"\b{name}: (!?\w+)", text)
    return match[1] if match else ""


def _def_line(source: str, kernel: str) -> int:
    """Return the line of the kernel's ``def``, which is where Triton says that the kernel is."""
    lines = source.splitlines()
    return next((number for number, line in enumerate(lines, 1) if line.startswith(f"def {kernel}(")), 0)


def _inside(named: dict[int, int], source: str) -> dict[int, int]:
    count = len(source.splitlines())
    return {number: line for number, line in named.items() if 0 < line <= count}
