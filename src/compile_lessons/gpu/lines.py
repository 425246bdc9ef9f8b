"""Which PTX and SASS lines were made from which line of a Triton kernel.

PTX carries ``.loc file line column``; ``nvdisasm --print-line-info-inline`` writes ``//## File "…", line N`` above the
instructions. What was inlined from another file, such as triton's standard library, counts for the line that called it.
In a block of inline assembly (loads and stores are) LLVM counts ``.loc`` up from line to line: only the first is right
in PTX, and ``ptxas`` passes the others on, so that a SASS load may stand a line or two below its Triton line.
"""

from __future__ import annotations

import re
from collections import defaultdict

from compile_lessons.gpu.model import LineMap

_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]+)"')
_LOC = re.compile(r"^\s*\.loc\s+(\d+) (\d+)")
_INLINED = re.compile(r"inlined_at (\d+) (\d+)")
_MARK = re.compile(r'(?:File|inlined at) "([^"]+)", line (\d+)')
_SASS = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/")


def line_maps(source: str, ptx: str, sass: str) -> tuple[LineMap, ...]:
    """The lines of ``source``, the kernel's file, that PTX or SASS lines name."""
    text = source.splitlines()
    file, of_ptx = _ptx_lines(ptx)
    of_sass = _sass_lines(sass, file)
    found = sorted(line for line in of_ptx.keys() | of_sass.keys() if 0 < line <= len(text))
    return tuple(LineMap(line, text[line - 1].strip(), tuple(of_ptx[line]), tuple(of_sass[line])) for line in found)


def _ptx_lines(ptx: str) -> tuple[str, dict[int, list[int]]]:
    """The kernel's file (the first that PTX names) and, by its lines, the instructions after each ``.loc``."""
    files = {number: name for line in ptx.splitlines() if (m := _FILE.match(line)) for number, name in [m.groups()]}
    own = files.get("1", "")
    lines, current, inline = defaultdict(list), 0, False
    for number, line in enumerate(ptx.splitlines(), 1):
        if "// begin inline asm" in line or "// end inline asm" in line:
            inline = "begin" in line
        elif match := _LOC.match(line):
            places = [match.groups(), *_INLINED.findall(line)]
            found = [int(place) for file, place in places if file == "1"]
            current = current if inline else found[-1] if found else 0
        elif current and line.strip().endswith(";") and not line.lstrip().startswith("."):
            lines[current].append(number)
    return own, lines


def _sass_lines(sass: str, file: str) -> dict[int, list[int]]:
    lines, current, name = defaultdict(list), 0, file.rpartition("/")[2]
    for number, line in enumerate(sass.splitlines(), 1):
        if line.lstrip().startswith("//##"):
            found = [int(place) for file, place in _MARK.findall(line) if file.endswith(name)]
            current = found[-1] if found else current if "inlined" in line else 0
        elif current and _SASS.match(line):
            lines[current].append(number)
    return lines
