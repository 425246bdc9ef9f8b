"""The assembly of a C++ kernel.

Relies on ``torch/_inductor/cpp_builder.py`` for the compiler and its options.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile

from torch._inductor.cpp_builder import CppBuilder, CppTorchOptions
from torch._inductor.cpu_vec_isa import pick_vec_isa

from compile_lessons.facts import Kernel

#: The C++ in a kernel's definition: ``async_compile.cpp_pybinding([…], r'''#include …''')``.
_PYBINDING = re.compile(r"r'''(.*)'''", re.DOTALL)


def assembly(kernel: Kernel) -> str:
    """Return the assembly of a C++ kernel, from the compiler and with the options that Inductor uses.

    Raises ``ValueError`` for a kernel that is not C++, and ``RuntimeError`` with the compiler's message if it fails.
    """
    if kernel.kind != "cpp":
        raise ValueError(f"{kernel.name} is {kernel.kind}: assembly() takes C++ kernels only")
    definition = _PYBINDING.search(kernel.source)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(definition[1] if definition else kernel.source)  # under cpp_wrapper it is bare C++
        options = CppTorchOptions(vec_isa=pick_vec_isa(), compile_only=True)
        builder = CppBuilder("kernel", path, options, folder)
        command = builder.get_command_line().split()
        command[command.index("-c")] = "-S"
        result = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
        if result.returncode:
            raise RuntimeError(f"the compiler refused {kernel.name}:\n{result.stderr}")
        with open(builder.get_target_file_path(), encoding="utf-8") as file:
            return file.read()
