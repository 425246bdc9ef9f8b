"""Text and HTML of the parts of this package."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from compile_lessons.facts import Candidate, Config, Device, GpuKernel, LineMap, MachineCode, Occupancy, TargetGpu
from compile_lessons.facts.part import html, text
from compile_lessons.ground.words import WIDTH, cut, join, shorten, shorten_left, wrap
from compile_lessons.show.layout import fitted_table, fold, pre
from compile_lessons.show.table import Table


def gpu_kernels_table(kernels: Iterable[GpuKernel], width: int | None = WIDTH) -> Table:
    """Return a row per kernel with what it takes of a multiprocessor. Shared memory is in bytes per block."""
    columns = ("kernel", "blocks", "warps", "registers", "shared", "spills", "occupancy", "limited by")
    limits = {"kernel": (28, shorten_left), "blocks": (21, shorten)}
    return fitted_table(columns, [(kernel.name, *_usage(kernel.code)) for kernel in kernels], limits, width)


def _usage(code: MachineCode) -> tuple[Any, ...]:
    spills = code.spill_stores + code.spill_loads
    share = f"{code.occupancy.share:.0%}"
    return _blocks(code.config), code.config.num_warps, code.registers, code.shared, spills, share, code.occupancy.limit


def _blocks(config: Config) -> str:
    return " ".join(f"{name[0]}={size}" for name, size in config.blocks.items())


def line_maps_table(lines: Iterable[LineMap], width: int | None = WIDTH) -> Table:
    """Return a row per line of a Triton file with the number of PTX and SASS instructions compiled from it."""
    rows = [(line.triton, line.text, len(line.ptx), len(line.sass)) for line in lines]
    return fitted_table(("line", "Triton", "PTX", "SASS"), rows, {"Triton": (76, shorten)}, width)


@text.register
def _(part: GpuKernel) -> str:
    return join([str(gpu_kernels_table([part])), cut(part.function.rstrip()), str(line_maps_table(part.code.lines))])


@html.register
def _(part: GpuKernel) -> str:
    code = part.code
    stages = {"Triton": part.function, "TTIR": code.ttir, "TTGIR": code.ttgir, "LLVM IR": code.llir}
    stages |= {"PTX": code.ptx, "SASS": code.sass}
    return (
        gpu_kernels_table([part], None)._repr_html_()
        + "".join(fold(f"{part.name}: {name}", pre(body)) for name, body in stages.items())
        + fold(f"{part.name}: lines", line_maps_table(code.lines, None)._repr_html_())
    )


@html.register
def _(part: MachineCode) -> str:
    return pre(part.sass.strip())


def machine_code_text(kernel: GpuKernel) -> str:
    """Return the kernel's text with its PTX and SASS, whose lines are not cut."""
    return join([text(kernel), f"PTX of {kernel.name}\n{kernel.code.ptx.strip()}", f"SASS\n{kernel.code.sass.strip()}"])


@text.register
def _(part: MachineCode) -> str:
    return cut(part.sass.strip())


@text.register
def _(part: LineMap) -> str:
    return str(line_maps_table([part]))


@text.register
def _(part: Config) -> str:
    return f"{_blocks(part)}, {part.num_warps} warps, {part.num_stages} stages"


@text.register
def _(part: Occupancy) -> str:
    return f"{part.warps} warps in {part.blocks} blocks, {part.share:.0%}, limited by {part.limit}"


@text.register
def _(part: Device) -> str:
    return wrap(f"{part.name}, compute capability {'.'.join(map(str, part.capability))} ({part.source})")


@text.register
def _(part: TargetGpu) -> str:
    lines = wrap("\n".join([f"{part.device.name}, triton {part.triton_version}", *part.notes]))
    return join([lines, str(candidates_table(part.candidates))]) if part.candidates else lines


@text.register
def _(part: Candidate) -> str:
    return join([str(candidates_table([part])), cut(part.source.strip())])


def candidates_table(candidates: Iterable[Candidate], width: int | None = WIDTH) -> Table:
    """Return a row per candidate for which Inductor would time an operator."""
    rows = [(it.operator, it.name, it.options or "of a library") for it in candidates]
    return fitted_table(("operator", "candidate", "options"), rows, {"options": (60, shorten)}, width)
