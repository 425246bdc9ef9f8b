"""Matrix multiplications in float32 on a GPU whose faster types the program could use, or uses elsewhere."""

from collections.abc import Iterator

from compile_lessons.facts.run import Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.words import counted

_HALF = {"bf16": "bfloat16", "f16": "float16"}


def float32_matmuls(run: Run) -> Iterator[Finding]:
    """Yield advice on each process. Matmuls are those of Dynamo's graphs, so it tells what runs under autocast."""
    for process in run.processes:
        newest = {item.code: item for item in process.compiles if item.outcome == "compiled"}
        found = [matmul for item in newest.values() for matmul in item.matmuls if matmul.device == "cuda"]
        full = [matmul for matmul in found if matmul.dtype == "f32"]
        half = [matmul.dtype for matmul in found if matmul.dtype in _HALF]
        precision = next((item.float32_precision for item in newest.values() if item.float32_precision), None)
        lines = [matmul.line for matmul in full if matmul.line]
        if full and half:
            yield finding(
                fix("float32-matmul"),
                f"{len(full)} of {counted(len(found), 'matmul')} on the GPU are in float32, the others in "
                f"{_HALF[half[0]]}",
                advice=True,
                where=lines,
                evidence=() if lines else ("they are in modules of torch, for which the trace has no lines",),
            )
        elif full and precision:
            yield finding(
                fix("tf32-off"),
                f"{counted(len(full), 'matmul')} on the GPU in float32, and torch doesn't use TF32 for them",
                advice=True,
                where=lines,
                evidence=(f"float32 matmuls compute as {precision!r}",),
            )
