"""Packages of AOTInductor that take little time to compile."""

from pathlib import Path

import torch
from torch.export import ExportedProgram


def compile_package(program: ExportedProgram, folder: Path, **settings: bool) -> str:
    """Compile an exported program with ``settings`` of ``aot_inductor``; return the package's path, in ``folder``."""
    settings_by_name = {"precompile_headers": False, "compile_wrapper_opt_level": "O0", **settings}
    path: str = torch._inductor.aoti_compile_and_package(
        program,
        package_path=str(folder / "package.pt2"),
        inductor_configs={f"aot_inductor.{name}": value for name, value in settings_by_name.items()},
    )
    return path
