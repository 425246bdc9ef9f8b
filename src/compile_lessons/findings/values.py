"""Where the values of two runs begin to differ, by the samples of their first calls."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from compile_lessons.facts.run import Process, Run, Sample, Samples

#: Differences up to this share of the sizes are rounding, by type; of half precision, and of types that it isn't for.
_ROUNDING = {"float64": 1e-7, "float32": 1e-4, "complex64": 1e-4, "complex128": 1e-7, "float": 1e-7}
_ROUNDING_OF_HALF = 2e-2
_HALF = ("float16", "bfloat16", "float8")
#: torch's backends in the order of the stages, each with what it adds.
BACKENDS = {
    "eager": "Dynamo",
    "aot_eager": "AOTAutograd",
    "aot_eager_decomp_partition": "a decomposition, or the partition into forward and backward",
    "inductor": "Inductor",
}
#: So many times as far as moved inputs move eager mode's values may the compiled ones be off.
_FACTOR = 4
#: How far inputs are moved, as a share of themselves: far more than rounding does. ``half`` where a graph, or a value,
#: has half precision.
NOISE, NOISE_OF_HALF = 1e-5, 8e-3


@dataclass(frozen=True)
class Difference:
    """The first value that differs."""

    process: Process
    #: What the value is of.
    where: Samples
    compiled: Sample | None
    eager: Sample | None
    #: How far they are apart, as a share of the size: infinite if they can't be compared. And how far inputs that are
    #: moved a little move eager mode's value, if that is known.
    share: float
    moved: float | None = None

    @property
    def path(self) -> str:
        sample = self.compiled or self.eager
        return sample.path if sample else ""


def first_difference(run: Run, eager: Run, moved: Run | None = None) -> Difference | None:
    """Return the first difference between two runs with the same seeds, if compiled code makes it.

    Where a call is *given* other values than in the other run, compiled code didn't make the difference, and what
    follows from it is not compared. ``moved`` is the run in eager mode with inputs that are moved.
    """
    found = _first(run, eager, moved)
    return None if found and found.where.when == "given" else found


def given_other_values(run: Run, eager: Run) -> Samples | None:
    """Return the first call that is given other values than in the other run, if no value differs before it."""
    found = _first(run, eager, None)
    return found.where if found and found.where.when == "given" else None


def compared_values(run: Run, eager: Run) -> int:
    """Return how many values of two runs are compared."""
    return sum(len(samples.samples) for process, other in _pairs(run, eager) for samples, _ in _both(process, other))


def _first(run: Run, eager: Run, moved: Run | None) -> Difference | None:
    for process, other in _pairs(run, eager):
        noisy = dict(_pairs(eager, moved)).get(other) if moved else None
        for samples, same in _both(process, other):
            noise = _same(samples, noisy) if noisy else None
            if found := next(_differences(process, samples, same, noise), None):
                return found
    return None


def _both(process: Process, other: Process) -> Iterator[tuple[Samples, Samples]]:
    for samples in process.samples:
        if same := _same(samples, other):
            yield samples, same


def _pairs(run: Run, other: Run) -> Iterator[tuple[Process, Process]]:
    """Yield the processes of two runs that have samples, each rank with itself."""
    yield from zip(*([each for each in one.in_ranks() if each.samples] for one in (run, other)), strict=False)


def is_half(run: Run) -> bool:
    """Return whether a value, or a matmul of a graph, has half precision."""
    matmuls = (matmul for process in run.processes for item in process.compiles for matmul in item.matmuls)
    samples = (leaf for process in run.processes for each in process.samples for leaf in each.samples)
    return any(matmul.dtype in ("f16", "bf16") for matmul in matmuls) or any(
        sample.type.startswith(_HALF) for sample in samples
    )


def _same(samples: Samples, process: Process) -> Samples | None:
    key = samples.region, samples.call, samples.when
    return next((each for each in process.samples if (each.region, each.call, each.when) == key), None)


def _differences(process: Process, samples: Samples, eager: Samples, noisy: Samples | None) -> Iterator[Difference]:
    theirs, noises = ({each.path: each for each in one.samples} if one else {} for one in (eager, noisy))
    ours = {each.path: each for each in samples.samples}
    for path in dict.fromkeys((*ours, *theirs)):
        sample, other, noise = ours.get(path), theirs.get(path), noises.get(path)
        if sample and other:
            share = _distance(sample, other)
            moved = _distance(noise, other) if noise else 0.0
            factor = _FACTOR if "[" in sample.type else math.inf  # a number that isn't a tensor has no rounding
            if share > max(_rounding(sample), factor * moved if moved else 0.0):
                yield Difference(process, samples, sample, other, share, moved if noise else None)
        elif samples.when == "returned" or (samples.when == "gradient" and not _is_zero(sample or other)):
            yield Difference(process, samples, sample, other, math.inf)


def _is_zero(sample: Sample | None) -> bool:
    """Return whether a gradient is zeros, for which the other run may have none."""
    return sample is not None and not sample.not_finite and not any(sample.sizes)


def _rounding(sample: Sample) -> float:
    dtype = sample.type.partition("[")[0]
    return _ROUNDING_OF_HALF if dtype.startswith(_HALF) else _ROUNDING.get(dtype, 0.0)


def _distance(sample: Sample, other: Sample) -> float:
    """Return the largest difference of a part, as a share of its size; infinite if they aren't comparable."""
    if (sample.type, sample.not_finite) != (other.type, other.not_finite) or len(sample.sums) != len(other.sums):
        return math.inf
    sizes = [max(one or 0.0, two or 0.0) for one, two in zip(sample.sizes, other.sizes, strict=True)]
    typical = sum(sizes) / max(1, len(sizes))
    parts = zip(sample.sums, other.sums, sizes, strict=True)
    apart = ((abs((one or 0.0) - (two or 0.0)), (size + typical) / 2) for one, two, size in parts)
    return max((distance / size for distance, size in apart if size), default=0.0)
