"""The kinds of records in torch's trace: what each has in its JSON, and what it adds to its compile."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import msgspec

from compile_lessons.facts.frames import Break
from compile_lessons.facts.run import Matmul, TracedListing
from compile_lessons.facts.source import Location, location, stack_in
from compile_lessons.ground.reading import read_json
from compile_lessons.ground.words import ADDRESS
from compile_lessons.trace.records import Event, convert

#: The line that a part of a graph is from: ``# File: /work/train.py:9 in scan, code: x = x @ y``.
SOURCE = re.compile(r"^\s*# File: (?P<file>.+):(?P<line>\d{1,9}) in (?P<function>[^,]+), code:(?P<text>.*)")
#: The end of a guard, with its line and the end of its path: ``# sum(self.taps)  # p/table.py:12 in f``.
GUARD_LINE = re.compile(r"  # (?P<path>\S+\.py):(?P<line>\d{1,9}) in \S+")
#: A search for the fastest candidate of a kernel, in Inductor or in Triton's wrapper.
_AUTOTUNED = re.compile(r"\w+_template_autotuning|CachingAutotuner\.benchmark_all_configs")
#: What a line of generated code has that calls a collective, and such a call: its name, and its group, which is its
#: last text.
COLLECTIVE = b"torch.ops._c10d_functional."
_COLLECTIVE = re.compile(
    r"^\s*(?:\w+ = )?torch\.ops\._c10d_functional\.(?!wait_tensor)(?P<name>\w+?)_?\.\w+\([^\n]*'(?P<group>[^'\n]*)'",
    re.M,
)
#: Characters of a payload that is read as JSON.
_LONGEST_JSON = 2**20
#: ``addmm: "bf16[8, 64][64, 1]cuda:0" = torch.nn.functional.linear(…)``, as graphs of Dynamo have it.
_MATMUL = re.compile(
    r'^\s*\w+: "(?P<dtype>\w+)\[[^"]*\](?P<device>[a-z]+)[:\d]*" = [^;]*?(?:'
    r"\b(?:linear|matmul|mm|bmm|addmm|baddbmm|einsum|conv[123]d|scaled_dot_product_attention)\(| @ )"
)


@dataclass
class TracedCompile:
    """What the trace has on one compile."""

    #: torch's id. ``torch._dynamo.reset()`` begins to count again: the second ``0/0`` of a process is ``0/0#2``.
    id: str
    #: Whether the trace has its beginning, and when that was, in seconds since the epoch.
    started: bool = False
    began: float | None = None
    metrics: Metrics | None = None
    backward: Metrics | None = None
    #: Metrics of what ran later than the compile: Triton's autotuning, recordings of CUDA graphs.
    runtime: list[Metrics] = field(default_factory=list)
    #: Outermost first; the last one is the frame that is compiled.
    stack: tuple[Location, ...] = ()
    reasons: tuple[str, ...] = ()
    breaks: list[Break] = field(default_factory=list)
    caches: list[str] = field(default_factory=list)
    bypass: str = ""
    #: Sizes that became constants, as their sources, ``L['x'].size()[0]``, each with the stack that did it.
    constants: dict[str, tuple[Location, ...]] = field(default_factory=dict)
    #: How many parts of the graph are from each line.
    lines: Counter[Location] = field(default_factory=Counter)
    #: Those of the last attempt to compile.
    listings: list[TracedListing] = field(default_factory=list)
    attempt: int = 0
    matmuls: list[Matmul] = field(default_factory=list)
    #: How many guards are from each line. The path is the end of the file's path.
    guards: Counter[tuple[str, int]] = field(default_factory=Counter)
    #: Kernels whose candidates were timed.
    autotuned: int = 0
    #: The collectives of each generated code, and their groups.
    collectives: list[tuple[tuple[str, str], ...]] = field(default_factory=list)

    @property
    def frame(self) -> int:
        return int(self.id.partition("/")[0])

    @property
    def number(self) -> int:
        return int(self.id.partition("#")[0].partition("/")[2])

    @property
    def start(self) -> float:
        return (self.metrics.start_time if self.metrics else None) or 0.0


class Context(msgspec.Struct, frozen=True):
    """What is in the JSON of each record beside its kind."""

    UNREAD: ClassVar = re.compile("compiled_autograd_id|has_payload|stack|subgraph_name")

    frame_id: int | None = None
    frame_compile_id: int | None = None
    attempt: int = 0
    rank: int | None = None


class Body(msgspec.Struct, frozen=True):
    """What a kind has in its JSON, and what it adds to its compile."""

    UNREAD: ClassVar = re.compile("sizes|filename|file_path")

    def add_to(self, entry: TracedCompile, payload: str) -> None:
        """Add nothing: the payload is a listing."""


class DynamoStart(Body, frozen=True):
    stack: tuple[Location, ...] | None = None

    def add_to(self, entry: TracedCompile, payload: str) -> None:
        entry.stack = _without_collector(self.stack or ())


class Specialization(Body, frozen=True):
    """A size became a constant."""

    UNREAD: ClassVar = re.compile("reason|symbol|value")

    sources: tuple[str, ...] | None = None
    user_stack: tuple[Location, ...] | None = None
    stack: tuple[Location, ...] | None = None

    def add_to(self, entry: TracedCompile, payload: str) -> None:
        stack = _without_collector(self.user_stack or self.stack or ())
        entry.constants.update(dict.fromkeys(self.sources or (), stack))


class Metrics(Body, frozen=True, kw_only=True):
    """What is read of ``torch._dynamo.utils.CompilationMetrics``. ``us`` are microseconds."""

    UNREAD: ClassVar = re.compile(
        r"""accumulated_cache_size | aotautograd_(local|remote)_cache_(hit|miss)_count | backend_compile_time_s
        | backward_cumulative_compile_time_us | cache_size | code_gen_time_s | compile_id | compiler_config
        | (non_)?compliant(_custom)?_ops | config_(inline_inbuilt_nn_modules|suppress_errors) | cuda_version
        | distributed_ephemeral_timeout_us | dynamo_compile_time_before_restart_us | dynamo_time_before_restart_s
        | (dynamo|functorch|inductor)_config | end_time_us | entire_frame_compile_time_s | (exception_)?stack_trace
        | fail_type | fail_user_frame_(filename|lineno) | feature_usage | frame_key | gc_time_us | graph_input_count
        | graph_node_(count|shapes) | guard_latency_us | inductor_code_gen_cumulative_compile_time_us
        | inductor_compile_time_s | inductor_fx_(local|remote)_cache_(hit|miss)_(count|keys)
        | inductor_fx_remote_cache_backend_type | inductor_provenance | inline_inbuilt_nn_modules_candidate | ir_count
        | is_(forward|runtime) | (joint_graph|post_grad|pre_grad)_pass_time_us | log_format_version | num_graph_breaks
        | num_triton_bundles | param_(bytes|count|numel) | pgo_(get|put)_remote_code_state_time_us | python_version
        | recompile_user_contexts | remote_cache_(time_saved_s|version) | remote_fx_graph_cache_(get|put)_time_(ms|us)
        | restart_reasons | shape_env_guard_count | specialize_float | start_time_us | structured_logging_overhead_s
        | tensorify_float_(attempt|failure|success) | triton_kernel_compile_times_us | triton_version""",
        re.VERBOSE,
    )

    co_name: str | None = None
    co_filename: str | None = None
    co_firstlineno: int | None = None
    #: Seconds since the epoch.
    start_time: float | None = None
    duration_us: float | None = None
    has_guarded_code: bool | None = None
    fail_reason: str | None = None
    recompile_reason: str | None = None
    graph_op_count: int | None = None
    guard_count: int | None = None
    cudagraph_skip_reason: str | None = None
    pytorch_version: str | None = None
    structured_logging_overhead_us: float | None = None
    dynamo_cumulative_compile_time_us: float | None = None
    aot_autograd_cumulative_compile_time_us: float | None = None
    inductor_cumulative_compile_time_us: float | None = None
    #: For C++ too: the wait for all kernels to be compiled.
    triton_compile_time_us: float | None = None
    #: At the compile, by Inductor, and at the first run, by Triton.
    compile_time_autotune_time_us: float | None = None
    runtime_triton_autotune_time_us: float | None = None
    runtime_cudagraphify_time_us: float | None = None

    @property
    def seconds(self) -> float:
        return (self.duration_us or 0) / 1e6

    @property
    def autotune_seconds(self) -> float:
        return ((self.compile_time_autotune_time_us or 0) + (self.runtime_triton_autotune_time_us or 0)) / 1e6

    @property
    def logging_seconds(self) -> float:
        return (self.structured_logging_overhead_us or 0) / 1e6

    @property
    def stages(self) -> dict[str, float]:
        """The seconds of each stage that took some."""
        microseconds = {
            "Dynamo": self.dynamo_cumulative_compile_time_us,
            "AOTAutograd": self.aot_autograd_cumulative_compile_time_us,
            "Inductor": self.inductor_cumulative_compile_time_us,
            "kernels": self.triton_compile_time_us,
            "autotuning": self.runtime_triton_autotune_time_us,
            "cudagraphify": self.runtime_cudagraphify_time_us,
        }
        return {stage: value / 1e6 for stage, value in microseconds.items() if value}

    def add_to(self, entry: TracedCompile, payload: str) -> None:
        entry.metrics = self


class BackwardMetrics(Metrics, frozen=True):
    def add_to(self, entry: TracedCompile, payload: str) -> None:
        entry.backward = self


class RuntimeMetrics(Metrics, frozen=True):
    def add_to(self, entry: TracedCompile, payload: str) -> None:
        entry.runtime.append(self)


class Chromium(Body, frozen=True):
    """An event of a timeline, which is JSON as the payload."""

    def add_to(self, entry: TracedCompile, payload: str) -> None:
        event = convert(_short_json(payload), Event)
        if event.ph == "B":
            entry.autotuned += bool(_AUTOTUNED.fullmatch(event.name))
            entry.began = event.ts / 1e6 if event.name == "entire_frame_compile" else entry.began


class DynamoGraph(Body, frozen=True):
    def add_to(self, entry: TracedCompile, payload: str) -> None:
        """Count the parts of a graph by their lines, and note its matrix multiplications."""
        line: Location | None = None
        for text in payload.splitlines():
            if source := SOURCE.match(text):
                line = location(source["file"], int(source["line"]), source["function"], source["text"])
                entry.lines[line] += 1
            elif found := _MATMUL.match(text):
                entry.matmuls.append(Matmul(found["dtype"], found["device"], line))


class OutputCode(Body, frozen=True):
    def add_to(self, entry: TracedCompile, payload: str) -> None:
        """Note the collectives. If no listings are kept, the payload has their lines alone."""
        calls = ((sys.intern(call["name"]), sys.intern(call["group"])) for call in _COLLECTIVE.finditer(payload))
        entry.collectives.append(tuple(calls))


class Guards(Body, frozen=True):
    def add_to(self, entry: TracedCompile, payload: str) -> None:
        entry.guards = Counter((guard["path"], int(guard["line"])) for guard in GUARD_LINE.finditer(payload))


class Artifact(Body, frozen=True):
    """A text under a name of its own. Whoever logs one chooses the name, so there is no list of names."""

    UNREAD: ClassVar = re.compile("encoding")

    name: str

    def add_to(self, entry: TracedCompile, payload: str) -> None:
        if self.name == "recompile_reasons":
            reasons = _short_json(payload) if payload[:1] in '["' else payload
            entry.reasons = convert([reasons] if isinstance(reasons, str) else reasons, tuple[str, ...])
        elif self.name == "dynamo_graph_break_reason":
            entry.breaks.append(parse_break(payload))
        elif (result := self.name.removeprefix("fx_graph_cache_")) in ("hit", "miss", "bypass"):
            entry.caches.append(result)
        elif self.name == "aotautograd_cache_bypass":
            reason, *_ = str(read_json(payload).get("cache_bypass_reason") or "").splitlines() or [""]
            entry.bypass = ADDRESS.sub("", reason).strip()


def _short_json(payload: str) -> Any:
    if len(payload) > _LONGEST_JSON:
        raise ValueError("too long")
    return read_json(payload)


def _without_collector(stack: Iterable[Location]) -> tuple[Location, ...]:
    """Leave out the lines of the collector, which stands between torch and the user's frame."""
    return tuple(line for line in stack if "compile_lessons_collector" not in line.file)


def parse_break(text: str) -> Break:
    """Read the text that ``InstructionTranslatorBase.log_graph_break`` writes: reason, hints, the user's stack."""
    body, _, rest = text.partition("\nUser code traceback:\n")
    reason = body.partition("Graph Break Reason: ")[2]
    message = re.sub(r"^Encountered graph break when attempting to trace [^\n]*\n+", "", reason)
    cause, _, details = message.partition("\n  Explanation: ")
    cause = cause.partition("\n  Higher Order Operator: ")[0]  # in which the line is traced
    explanation, *hints = details.partition("\n\n")[0].split("\n  Hint: ")
    link = re.search(r"/gb(\d+)\.html", body)
    return Break(
        gb_id=f"GB{link[1]}" if link else None,
        gb_type=" ".join(cause.split()) or "unknown",
        explanation=" ".join(explanation.split()),
        hints=tuple(" ".join(hint.split()) for hint in hints),
        stack=_without_collector(stack_in(rest.split("\n\n")[0])),
    )


#: The type of each kind that is read.
KINDS: dict[str, Any] = {
    "str": tuple[str, int],
    "artifact": Artifact,
    "dynamo_start": DynamoStart,
    "dynamo_output_graph": DynamoGraph,
    "dynamo_cpp_guards_str": Guards,
    "symbolic_shape_specialization": Specialization,
    "compilation_metrics": Metrics,
    "bwd_compilation_metrics": BackwardMetrics,
    "compilation_metrics_runtime": RuntimeMetrics,
    "bwd_compilation_metrics_runtime": RuntimeMetrics,
    "chromium_event": Chromium,
    "aot_inference_graph": Body,
    "aot_forward_graph": Body,
    "aot_backward_graph": Body,
    "inductor_output_code": OutputCode,
}
#: Kinds of torch 2.11 to 2.15 that no report needs.
UNREAD = re.compile(
    r"""aot_joint_graph | aot_(forward|backward)_graph_pre_\w+ | aot_saved_tensors_hooks_.+ | compiled_autograd_graph
    | create_(unbacked_)?symbol | describe_(source|storage|tensor) | dump_file | dynamo_guards | export(ed_program)?
    | expression_created | graph_dump | guard_added(_fast)? | guard_on_data_dependent_error | inductor_input_graph
    | inductor_post_grad_graph | link | (mismatched|missing)_fake_kernel | optimize_ddp_split_(child|graph)
    | propagate_real_tensors(_provenance)?""",
    re.VERBOSE,
)
