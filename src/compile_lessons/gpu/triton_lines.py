"""Map each line of a Triton kernel to the PTX and SASS lines compiled from it.

PTX carries ``.loc file line column``; ``nvdisasm --print-line-info-inline`` writes ``//## File "…", line N`` above the
instructions. What was inlined from another file, such as triton's standard library, counts for the line that called it.
Triton 3.6 states the calling line in a comment of the PTX only, and SASS names the other file alone: there a line of
the other file counts for the kernel's line if the PTX has one caller for it, and for none if it has several.
In a block of inline assembly (loads and stores are) LLVM counts ``.loc`` up from line to line: only the first is right
in PTX, and ``ptxas`` passes the others on, so that a SASS load may stand a line or two below its Triton line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from os.path import basename

from compile_lessons.facts import LineMap

#: ``.file  1 "/tmp/ab/cabc.py"``
_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]+)"')
#: ``.loc  1 23 31``: file, line, column
_LOC = re.compile(r"^\s*\.loc\s+(\d+) (\d+)")
#: ``.loc 2 167 27, function_name $L__info_string0, inlined_at 1 24 23``
_INLINED = re.compile(r"inlined_at (\d+) (\d+)")
#: ``// standard.py:167:27 @[ cabc.py:24:23 ]``
_INLINED_COMMENT = re.compile(r"@\[ (\S+):(\d+):\d+")
#: ``//## File "/tmp/ab/cabc.py", line 24 inlined at "/tmp/ab/cabc.py", line 30``
_MARK = re.compile(r'(?:File|inlined at) "([^"]+)", line (\d+)')
#: ``/*0000*/  LDC R1, c[0x0][0x28] ;``
_SASS = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/")


def line_maps(source: str, above: int, ptx: str, sass: str) -> tuple[LineMap, ...]:
    """Return the lines of ``source`` that PTX or SASS lines name. Its file has ``above`` more lines at its top."""
    text = source.splitlines()
    files, ptx_lines = _ptx_lines(ptx)
    sass_lines = _sass_lines(sass, files)
    named = sorted(line - above for line in ptx_lines.keys() | sass_lines.keys())
    return tuple(
        LineMap(
            triton=line,
            text=text[line - 1].strip(),
            ptx=tuple(ptx_lines[line + above]),
            sass=tuple(sass_lines[line + above]),
        )
        for line in named
        if 0 < line <= len(text)
    )


def _ptx_lines(ptx: str) -> tuple[_Files, dict[int, list[int]]]:
    """Return the files that PTX names, and the PTX lines of instructions by the line of the kernel's file."""
    files = _Files({match[1]: match[2] for line in ptx.splitlines() if (match := _FILE.match(line))})
    lines: dict[int, list[int]] = defaultdict(list)
    current, inline = 0, False
    for number, line in enumerate(ptx.splitlines(), 1):
        if "// begin inline asm" in line or "// end inline asm" in line:
            inline = "begin" in line
        elif match := _LOC.match(line):
            current = current if inline else files.caller(match[1], match[2], line)
        elif current and line.strip().endswith(";") and not line.lstrip().startswith("."):
            lines[current].append(number)
    return files, lines


class _Files:
    """The files that PTX names by number: the first is the kernel's own."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names
        self.own = names.get("1", "")
        self._callers: dict[tuple[str, int], set[int]] = defaultdict(set)

    def caller(self, file: str, line: str, text: str) -> int:
        """Return the kernel's line that a ``.loc`` stands for; 0 if it names none."""
        places = [(file, line), *_INLINED.findall(text)]
        own = [int(at) for number, at in places if number == "1"]
        own += [int(at) for name, at in _INLINED_COMMENT.findall(text) if name == basename(self.own)]
        if not own:
            return 0
        self._callers[basename(self._names[file]), int(line)].add(own[-1])
        return own[-1]

    def line(self, places: list[tuple[str, str]]) -> int:
        """Return the kernel's line that a mark in SASS stands for; 0 if it names none, or one of several."""
        own = [int(at) for name, at in places if basename(name) == basename(self.own)]
        if own:
            return own[-1]
        callers = self._callers[basename(places[0][0]), int(places[0][1])]
        return next(iter(callers)) if len(callers) == 1 else 0


def _sass_lines(sass: str, files: _Files) -> dict[int, list[int]]:
    """Return the SASS lines of instructions by the line of the kernel's file."""
    lines: dict[int, list[int]] = defaultdict(list)
    current = 0
    for number, line in enumerate(sass.splitlines(), 1):
        if line.lstrip().startswith("//##"):
            current = files.line(_MARK.findall(line))
        elif current and _SASS.match(line):
            lines[current].append(number)
    return lines
