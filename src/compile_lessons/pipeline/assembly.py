"""The assembly of a C++ kernel, and which line each instruction came from.

Relies on ``torch/_inductor/cpp_builder.py`` for the compiler and its options.
"""

import os
import re
import subprocess
import tempfile
from typing import NamedTuple

from torch._inductor.cpp_builder import CppBuilder, CppTorchOptions
from torch._inductor.cpu_vec_isa import pick_vec_isa

from compile_lessons.facts import Assembly, Kernel

#: The C++ in a kernel's definition: ``async_compile.cpp_pybinding([…], r'''#include …''')``.
_PYBINDING = re.compile(r"r'''(.*)'''", re.DOTALL)


_SOURCE = "kernel.cpp"
#: An instruction, or what the linker is to fill in below one: "  44:\tcall   49 <kernel+0x49>".
_INSTRUCTION = re.compile(r"\s+[0-9a-f]+:\s")
_FUNCTION = re.compile(r"[0-9a-f]+ (<.+>:)")


def assembly(kernel: Kernel) -> str:
    """Return the assembly of a C++ kernel, from the compiler and with the options that Inductor uses.

    Raises ``ValueError`` for a kernel that is not C++, and ``RuntimeError`` with the compiler's message if it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = _compiled(kernel, folder, "-S")
        with open(path, encoding="utf-8") as file:
            return file.read()


def linked_assembly(kernel: Kernel) -> Assembly:
    """Return the instructions of a C++ kernel, each with its line of the kernel's source.

    The lines come from the debug information, to which Inductor's options lead too. Where the compiler has inlined a
    function of another file, the line is that of the call. Raises as ``assembly`` does, also where ``objdump`` is
    missing.
    """
    begins = kernel.source.count("\n", 0, _cpp(kernel).start)
    with tempfile.TemporaryDirectory() as folder:
        path = _compiled(kernel, folder, "-c")
        # The kernel's own functions are in this section; each function of a header is in one of its own.
        command = ["objdump", "-d", "-l", "-r", "-C", "--inlines", "--no-show-raw-insn", "-j", ".text", path]
        try:
            listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        except (FileNotFoundError, subprocess.CalledProcessError) as error:
            raise RuntimeError(f"the lines of {kernel.name} need GNU objdump\n  Fix: install binutils") from error
        return _read(listing, os.path.join(folder, _SOURCE), begins)


def _read(listing: str, path: str, begins: int) -> Assembly:
    """Read ``objdump``'s listing. Above an instruction it names the place, and then the calls that were inlined.

    It names none where the place is that of the instruction before.
    """
    place = re.compile(r"(?:inlined by )?(?P<file>.+):(?P<line>\d+)(?: \(.*\))?")
    texts: list[str] = []
    lines: list[tuple[int, int]] = []
    named: list[re.Match[str]] = []
    now: int | None = None
    for text in listing.splitlines():
        if function := _FUNCTION.fullmatch(text):
            texts.append(function[1])
            now = None
        elif _INSTRUCTION.match(text):
            if named:
                own = [int(found["line"]) for found in named if found["file"] == path]
                now = own[-1] if own else None
                named = []
            texts.append(text.expandtabs())
            if now is not None:
                lines.append((len(texts), now + begins))
        elif found := place.fullmatch(text):
            named.append(found)
    return Assembly("\n".join(texts), tuple(lines))


class _Cpp(NamedTuple):
    """The C++ in a kernel's definition, and where it starts."""

    text: str
    start: int


def _cpp(kernel: Kernel) -> _Cpp:
    if kernel.kind != "cpp":
        raise ValueError(f"{kernel.name} is {kernel.kind}: assembly() takes C++ kernels only")
    definition = _PYBINDING.search(kernel.source)
    return _Cpp(definition[1], definition.start(1)) if definition else _Cpp(kernel.source, 0)  # cpp_wrapper: bare C++


def _compiled(kernel: Kernel, folder: str, option: str) -> str:
    """Return the file that the compiler writes with an option in place of ``-c``."""
    path = os.path.join(folder, _SOURCE)
    with open(path, "w", encoding="utf-8") as file:
        file.write(_cpp(kernel).text)
    options = CppTorchOptions(vec_isa=pick_vec_isa(), compile_only=True)
    builder = CppBuilder("kernel", path, options, folder)
    command = builder.get_command_line().split()
    command[command.index("-c")] = option
    result = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    if result.returncode:
        raise RuntimeError(f"the compiler refused {kernel.name}:\n{result.stderr}")
    target: str = builder.get_target_file_path()
    return target
