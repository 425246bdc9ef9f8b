"""How a run compares with one in eager mode: the values of the first calls, what it prints, and how long calls take."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compile_lessons.facts.run import Process, Region, Run, Sample, Samples, Span
from compile_lessons.ground.words import shorten

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
#: The compiled values may be off by at most this many times the distance that moved inputs move eager mode's values.
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
    return sum(len(samples.leaves) for process, other in _pairs(run, eager) for samples, _ in _both(process, other))


def _first(run: Run, eager: Run, moved: Run | None) -> Difference | None:
    for process, other in _pairs(run, eager):
        noisy = dict(_pairs(eager, moved)).get(other) if moved else None
        for samples, same in _both(process, other):
            noise = _same(samples, noisy) if noisy else None
            if found := next(_differences(process, samples, same, noise), None):
                return found
    return None


def _both(process: Process, other: Process) -> Iterator[tuple[Samples, Samples]]:
    return ((samples, same) for samples in process.samples if (same := _same(samples, other)))


def _pairs(run: Run, other: Run) -> Iterator[tuple[Process, Process]]:
    """Return the processes of two runs that have samples, each rank with itself."""
    return zip(*([each for each in one.in_ranks() if each.samples] for one in (run, other)), strict=False)


def is_half(run: Run) -> bool:
    """Return whether a value, or a matmul of a graph, has half precision."""
    matmuls = (matmul for process in run.processes for item in process.compiles for matmul in item.matmuls)
    samples = (leaf for process in run.processes for each in process.samples for leaf in each.leaves)
    return any(matmul.dtype in ("f16", "bf16") for matmul in matmuls) or any(
        sample.type.startswith(_HALF) for sample in samples
    )


def _same(samples: Samples, process: Process) -> Samples | None:
    key = samples.region, samples.call, samples.when
    return next((each for each in process.samples if (each.region, each.call, each.when) == key), None)


def _differences(process: Process, samples: Samples, eager: Samples, noisy: Samples | None) -> Iterator[Difference]:
    theirs, noises = ({each.path: each for each in one.leaves} if one else {} for one in (eager, noisy))
    ours = {each.path: each for each in samples.leaves}
    for path in dict.fromkeys((*ours, *theirs)):
        sample, other, noise = ours.get(path), theirs.get(path), noises.get(path)
        if sample and other:
            share = _distance(sample, other)
            moved = _distance(noise, other) if noise else 0.0
            dtype, is_tensor, _ = sample.type.partition("[")
            factor = _FACTOR if is_tensor else math.inf  # a number that isn't a tensor has no rounding
            rounding = _ROUNDING_OF_HALF if dtype.startswith(_HALF) else _ROUNDING.get(dtype, 0.0)
            if share > max(rounding, factor * moved if moved else 0.0):
                yield Difference(process, samples, sample, other, share, moved if noise else None)
        elif alone := sample or other:
            is_zero = not alone.not_finite and not any(alone.sizes)  # for such a gradient the other run may have none
            if samples.when == "returned" or (samples.when == "gradient" and not is_zero):
                yield Difference(process, samples, sample, other, math.inf)


def _distance(sample: Sample, other: Sample) -> float:
    """Return the largest difference of a part, as a share of its size; infinite if they aren't comparable."""
    if (sample.type, sample.not_finite) != (other.type, other.not_finite) or len(sample.sums) != len(other.sums):
        return math.inf
    sizes = [max(one or 0.0, two or 0.0) for one, two in zip(sample.sizes, other.sizes, strict=True)]
    typical = sum(sizes) / max(1, len(sizes))
    parts = zip(sample.sums, other.sums, sizes, strict=True)
    apart = ((abs((one or 0.0) - (two or 0.0)), (size + typical) / 2) for one, two, size in parts)
    return max((distance / size for distance, size in apart if size), default=0.0)


#: What differs between two runs of any program: times with a unit, rates, dates, and addresses.
_OTHER = re.compile(
    r"[\d.,]+(?:e[+-]?\d+)?\s*(?:[numµ]?s|secs?|seconds?|minutes?|h|it/s|\w*/s|s/it|[kMG]i?B)\b"
    r"|\d{4}-\d\d-\d\d|\d\d?:\d\d(?::\d\d)?(?:\.\d+)?|0x[0-9a-f]+"
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|\b(?:nan|inf)\b", re.IGNORECASE)
#: Numbers that differ by less, as a share of the larger one or in the last place of what is printed, are rounding.
_ROUNDING_OF_PRINTS = 0.01


@dataclass(frozen=True)
class DifferentLines:
    """The first line of a process that differs, shortened, and how many of how many do."""

    line: str
    eager: str
    number: int
    lines: int


def different_lines(run: Run, other: Run) -> Iterator[DifferentLines]:
    """Yield the lines of each process that prints something else than in the other run."""
    printed = ([each for each in one.in_ranks() if each.printed] for one in (run, other))
    for process, same in zip(*printed, strict=False):
        pairs = list(zip(process.printed, same.printed, strict=False))
        different = [pair for pair in pairs if not _alike(*pair)]
        if different:
            line, eager = (shorten(each.strip(), 80) for each in different[0])
            yield DifferentLines(line, eager, len(different), len(pairs))


def _alike(line: str, eager: str) -> bool:
    texts = [_OTHER.sub("…", each.replace("_orig_mod.", "")) for each in (line, eager)]
    if _NUMBER.sub("#", texts[0]) != _NUMBER.sub("#", texts[1]):
        return False
    return all(map(_equal, *(map(str.lower, _NUMBER.findall(text)) for text in texts)))


def _equal(number: str, other: str) -> bool:
    one, two = float(number), float(other)
    if not (math.isfinite(one) and math.isfinite(two)):
        return str(one) == str(two)
    places = min(len(each.partition("e")[0].partition(".")[2]) for each in (number, other))
    last_place = 0.0 if "e" in number + other else (1.5 * 10.0**-places if places else 0.0)
    return abs(one - two) <= max(last_place, _ROUNDING_OF_PRINTS * max(abs(one), abs(two)))


#: A difference of this share between two runs is chance.
CHANCE = 0.05
#: Calls that a comparison needs.
_FEWEST = 3


@dataclass(frozen=True, kw_only=True)
class SpeedComparison:
    """Seconds from one call to the next, compiled and in eager mode, after the last compile."""

    function: str
    first: int
    last: int
    compiled: float
    eager: float
    break_even: int | None


def compare_speed(run: Run) -> SpeedComparison | str:
    """Return the comparison of a run with its second run; or why there is none, if there was a second run."""
    if run.eager is None:
        return ""
    main = run.main
    other = run.eager.main
    region = main.steps if main else None
    if run.eager.status and not run.eager.stopped:
        return f"the second run, in eager mode, ended with status {run.eager.status}"
    if not main or not other or not region:
        return "no compiled function was called"
    if main.lost or other.lost:
        return "records are missing"
    if any(item.outcome == "compiled" for item in other.compiles):
        return "the second run compiled too: the program sets its own stance"
    other = eager_process(run.eager, main) or other
    spans = main.spans_of(region)
    before = sum(span.calls for span in spans if span.since < main.last_compile)
    if main.profile and main.profile.region == region.id:  # starting it and writing it down takes time
        before = max(before, main.profile.last + 1)
    sampled = max((each.call for each in main.samples if each.region == region.id), default=0)
    if sum(span.calls for span in spans) - sampled >= _FEWEST:  # sampling values takes time
        before = max(before, sampled)
    compiled = seconds_from_call_to_call(spans, before)
    eager = seconds_from_call_to_call(other.spans_of(region), before)
    if compiled is None or eager is None:
        return f"{region.name} was called less than {_FEWEST} times after the last compile"
    saved = eager - compiled
    return SpeedComparison(
        function=region.name,
        first=before + 1,
        last=sum(span.calls for span in spans),
        compiled=compiled,
        eager=eager,
        break_even=int(main.compile_seconds / saved) + 1 if saved > CHANCE * eager else None,
    )


def eager_process(eager: Run, process: Process) -> Process | None:
    """Return the process of the run in eager mode that does what a process of the other run does."""
    same = [item for item in eager.processes if item.rank == process.rank and item.regions]
    return max(same, key=lambda item: len(item.spans), default=None)


def own_seconds(process: Process, region: Region, since: float = 0.0) -> float | None:
    """Return how long a call of a region itself runs, without compiles, of those that begin after a moment."""
    spans = [span for span in process.spans_of(region) if span.since >= since]
    calls = sum(span.calls for span in spans)
    return sum(span.seconds - span.compiling for span in spans) / calls if calls >= _FEWEST else None


def seconds_from_call_to_call(spans: Sequence[Span], before: int) -> float | None:
    """Return the seconds from one call to the next, without the first calls; ``None`` for too few calls."""
    done, kept = 0, []
    for span in spans:
        if done >= before:
            kept.append(span)
        done += span.calls
    calls = sum(span.calls for span in kept)
    return (kept[-1].end - kept[0].since) / calls if calls >= _FEWEST else None
