"""Where the time of a compile went."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from compile_lessons.facts import Phase
from compile_lessons.facts.run import Compile
from compile_lessons.ground.words import counted

#: Stages, each with the phases of torch to add up and those inside them that belong to the next stage.
_STAGES = (
    ("Dynamo", ("_compile.compile_inner",), ("OutputGraph.call_user_compiler",)),
    ("AOTAutograd", ("create_aot_dispatcher_function",), ("compile_fx.<locals>.fw_compiler_base",)),
    ("Inductor", ("compile_fx.<locals>.fw_compiler_base", "compile_fx.<locals>.bw_compiler"), ()),
)
_TOTAL = ("_compile.compile_inner", "backward._backward_impl")
#: Inside Inductor: waiting for the C++ compiler, or for Triton.
_WAITING = "async_compile.wait"
#: Between Dynamo and AOTAutograd, once in a process: keys of caches contain a hash of torch's and of Triton's files.
_HASHING = ("inductor_codecache_torch_key", "CacheBase.get_system.triton_key")
#: Less time than this, in seconds, is left out.
_LEAST = 0.05


@dataclass(frozen=True, kw_only=True)
class Stage:
    """The seconds of one stage without the stages inside it, and of a part of it that is worth a word."""

    name: str
    seconds: float
    part: str = ""
    part_seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class CompileTime:
    """The seconds of a compile and of its stages. What is left of the whole is ``other``."""

    seconds: float
    stages: tuple[Stage, ...]


def compile_time(phases: Sequence[Phase]) -> CompileTime | None:
    """Add up torch's phases; ``None`` if there is none that belongs to a stage."""
    seconds = {phase.name: phase.seconds for phase in phases}

    def added(names: Iterable[str]) -> float:
        return sum(seconds.get(name, 0.0) for name in names)

    parts = {
        "Inductor": ("waiting for compilers", added([_WAITING])),
        "other": ("hashing torch's files for cache keys", added(_HASHING)),
    }
    spent = {name: added(own) - added(inside) for name, own, inside in _STAGES if added(own)}
    if not spent:
        return None
    other = added(_TOTAL) - sum(spent.values())
    if other > _LEAST:
        spent["other"] = other
    return CompileTime(
        seconds=added(_TOTAL), stages=tuple(_stage(*item, *parts.get(item[0], ())) for item in spent.items())
    )


def _stage(name: str, seconds: float, part: str = "", part_seconds: float = 0.0) -> Stage:
    if not _LEAST < part_seconds <= seconds:
        part, part_seconds = "", 0.0
    return Stage(name=name, seconds=seconds, part=part, part_seconds=part_seconds)


def cache_hits(compiles: Iterable[Compile]) -> str:
    """Return how many graphs came from Inductor's cache, in words; nothing if none was looked up."""
    graphs = [cache for item in compiles for cache in item.caches]
    hits = f"{graphs.count('hit')} of {counted(len(graphs), 'graph')}"
    return f"{hits} came from Inductor's cache" if graphs else ""
