"""Matrix multiplications in float32 on a GPU whose faster types the program could use, or uses elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lessons.facts.run import Compile, Matmul, Process, Run
from compile_lessons.findings.finding import Finding
from compile_lessons.ground.words import counted

_HALF = ("bf16", "f16")


def float32_matmuls(run: Run) -> Iterator[Finding]:
    """Yield advice on each process. Matmuls are those of Dynamo's graphs, so it tells what runs under autocast."""
    for process in run.processes:
        newest = {item.code: item for item in process.compiles if item.outcome == "compiled"}
        found = [matmul for item in newest.values() for matmul in item.matmuls if matmul.device == "cuda"]
        full = [matmul for matmul in found if matmul.dtype == "f32"]
        half = [matmul for matmul in found if matmul.dtype in _HALF]
        if full and half:
            yield _among_others(full, found, half[0].dtype)
        elif full:
            yield from _without_tf32(process, full, list(newest.values()))


def _among_others(full: list[Matmul], found: list[Matmul], half: str) -> Finding:
    lines = dict.fromkeys(matmul.line for matmul in full if matmul.line)
    names = {"bf16": "bfloat16", "f16": "float16"}
    return Finding(
        rule="float32-matmul",
        severity="advice",
        what=f"{len(full)} of {counted(len(found), 'matmul')} on the GPU are in float32, the others in {names[half]}",
        where=tuple(lines),
        evidence=() if lines else ("they are in modules of torch, for which the trace has no lines",),
        remedy="if they don't need the precision, convert their inputs, or put them under torch.autocast",
        lesson="pipeline/modes",
    )


def _without_tf32(process: Process, full: list[Matmul], compiles: list[Compile]) -> Iterator[Finding]:
    precision = next((item.float32_precision for item in compiles if item.float32_precision), None)
    if precision is None:
        return
    yield Finding(
        rule="tf32-off",
        severity="advice",
        what=f"{counted(len(full), 'matmul')} on the GPU in float32, and torch doesn't use TF32 for them",
        where=tuple(dict.fromkeys(matmul.line for matmul in full if matmul.line)),
        evidence=(f"float32 matmuls compute as {precision!r}",),
        remedy='torch.set_float32_matmul_precision("high"), if 10 bits of mantissa are enough',
        lesson="pipeline/modes",
    )
