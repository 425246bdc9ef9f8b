"""Rules on facts that are written down here, for what no small program shows on a CPU."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compile_lessons.facts.run import (
    Compile,
    Export,
    FailedCheck,
    GraphBreak,
    Interval,
    Matmul,
    Memory,
    Message,
    Process,
    Profile,
    ProfiledWork,
    Region,
    Repeated,
    Reset,
    Run,
    Span,
)
from compile_lessons.facts.source import Location
from compile_lessons.findings.catalogue import explain_break
from compile_lessons.findings.finding import Finding, worst_first
from compile_lessons.findings.guards import most_telling
from compile_lessons.findings.rules import findings_of
from facts_of_runs import CALL, FORWARD, compiled, span


def process(*compiles: Compile, region: dict[str, Any] | None = None, **about: Any) -> Process:
    use: dict[str, Any] = {"calls": 100, "seconds": 9.0} | (region or {})
    forward = Region(id=1, function="forward", code=FORWARD, stack=(CALL,), **use)
    return Process(pid=1, regions=(forward,), compiles=compiles, **about)


def rules(*processes: Process, **about: Any) -> list[str]:
    return [found.rule for found in findings_of(Run(processes=processes, **about))]


def sizes(count: int) -> list[Compile]:
    guard = "0/{}: tensor 'x' size mismatch at index 0. expected {}, actual {}"
    return [
        compiled(0),
        *(compiled(n, guards=(FailedCheck(guard.format(n - 1, n, n + 1)),)) for n in range(1, count + 1)),
    ]


def test_two_recompiles_for_a_cause_are_how_torch_learns_sizes() -> None:
    assert rules(process(*sizes(2))) == []
    assert rules(process(*sizes(3))) == ["recompiles"]


def test_each_use_of_torch_compile_counts_by_itself() -> None:
    """Three models of one class: the versions of the others don't fit, and each has two versions of its own."""
    off = "0/{}: GLOBAL_STATE changed: grad_mode"
    others = "0/{}: ___check_obj_id(L['self'], 7)"
    versions = []
    for number in range(6):
        checks = [(off if number % 2 and older == number - 1 else others).format(older) for older in range(number)]
        guards = tuple(map(FailedCheck, reversed(checks)))
        versions.append(compiled(number, guards=guards, region=number // 2, seconds=9.0))
    assert rules(process(*versions), seconds=60.0) == []
    alone = [replace(item, region=1) for item in versions]
    assert rules(process(*alone), seconds=60.0) == ["recompiles"]


def test_the_newest_version_explains_what_grows() -> None:
    length = "0/{0}: len(L['keys']) == {0}"
    old = FailedCheck("0/0: tensor 'x' size mismatch at index 0. expected 3, actual 4")
    versions = [compiled(0), compiled(1, guards=(old,))]
    for number in range(2, 6):
        guards = [FailedCheck(length.format(version)) for version in range(number - 1, 0, -1)]
        versions.append(compiled(number, guards=(*guards, old)))
    (found,) = findings_of(Run(processes=(process(*versions),)))
    assert found.evidence[0].startswith("the length of keys: 1 → 2")


def test_a_setting_that_changed_is_one_finding_at_any_count(tmp_path: Path) -> None:
    program = tmp_path / "serve.py"
    program.write_text("import torch\n\nserve(8)\ntorch.set_num_threads(1)\nserve(8)\n")
    line = Location(file=str(program), line=5, function="<module>")
    threads = FailedCheck("0/0: GLOBAL_STATE changed: num_threads ")
    grew = FailedCheck("0/1: tensor 'x' size mismatch at index 0. expected 8, actual 9")
    versions = [compiled(0), compiled(1, guards=(threads,), stack=(line,)), compiled(2, guards=(grew, threads))]
    (found,) = findings_of(Run(processes=(process(*versions),)))
    assert (found.rule, found.severity, found.seconds) == ("setting-changed", "fault", 1.0)
    assert "1 version of forward was compiled again" in found.what
    assert [(place.line, place.file) for place in found.where] == [(4, str(program)), (5, str(program))]
    uses = (
        FailedCheck("0/0: GLOBAL_STATE changed: grad_mode "),
        FailedCheck("0/0: GLOBAL_STATE changed: autocast(cpu)_enabled "),
    )
    assert [rules(process(compiled(0), compiled(1, guards=(use,)))) for use in uses] == [[], []]


def worker(pid: int, start: float, **about: Any) -> Process:
    """A process that another one forked, and that compiles for a second."""
    return Process(pid=pid, start=start, end=start + 2, compiles=(compiled(0, start=start, region=None),), **about)


def test_workers_that_come_again_compile_again() -> None:
    forked = [worker(pid, start, forked_at=(CALL,)) for pid, start in ((2, 0.0), (3, 0.0), (4, 5.0), (5, 5.0))]
    (found,) = findings_of(Run(processes=(Process(pid=1), *forked)))
    assert (found.rule, found.seconds, found.where) == ("compiled-in-workers", 2.0, (CALL, FORWARD))
    assert "each of 4 workers" in found.what
    assert rules(Process(pid=1), *forked[:2]) == [], "they stay"
    assert rules(Process(pid=1), forked[0], forked[2]) == ["compiled-in-workers"]
    assert rules(*(worker(pid, start) for pid, start in ((2, 0.0), (3, 5.0)))) == [], "nothing forked them"


def test_an_exported_size_of_one_is_a_constant() -> None:
    text = "dimension inputs['images'].shape[0] 0/1 specialized; Dim.AUTO was specified along with … hint = 1."
    exported = Process(
        pid=1,
        messages=(Message(text=text, stack=(CALL,)),),
        exports=(Export(inputs=(("images", ("1", "3")), ("lengths", ("s1",))), stack=(CALL,)),),
    )
    (found,) = findings_of(Run(processes=(exported,)))
    assert (found.rule, found.where) == ("exported-constant", (CALL,))
    assert found.what == "torch.export made dimension 0 of images the constant 1"
    assert found.evidence[-1] == "the exported program has images as 1x3"
    assert rules(replace(exported, messages=())) == [], "a program that exports needs no torch.compile"


def test_a_size_of_one_needs_another_remedy() -> None:
    """torch gives size 1 its own version in spite of ``mark_dynamic``: tried with one dimension and torch 2.13."""
    guard = FailedCheck("0/0: tensor 'x' size mismatch at index 0. expected 1, actual 2")
    slow = compiled(0, seconds=9.0), compiled(1, seconds=9.0, guards=(guard,))
    (found,) = findings_of(Run(processes=(process(*slow),), seconds=50.0))
    assert "mark_unbacked(x, 0)" in found.remedy
    assert "sizes 0 and 1 get versions of their own" in found.evidence
    other = FailedCheck("0/1: tensor 'x' size mismatch at index 0. expected 2, actual 9")  # a prompt, a token, a prompt
    (found,) = findings_of(Run(processes=(process(*slow, compiled(2, seconds=9.0, guards=(other,))),), seconds=50.0))
    assert "mark_dynamic(x, 0)" in found.remedy


def test_versions_that_the_program_asked_for_are_no_finding() -> None:
    static = {"dynamic": False, "own_limit": 16}
    assert rules(process(*sizes(8), region=static)) == []
    assert rules(process(*sizes(8), region=static | {"own_limit": 4})) == ["recompiles"]


def test_seconds_of_recompiles_that_run_inside_others_count_once() -> None:
    inner = [compiled(n, guards=(FailedCheck("0/0: self.n == 1"),), nested=n == 2) for n in range(4)]
    found = findings_of(Run(processes=(process(*inner),)))[0]
    assert found.seconds == 3.0


def test_a_skipped_cuda_graph_has_its_reason_and_line() -> None:
    message = Message(text="skipping cudagraphs due to mutated inputs (1 instances)\nmore", stack=(CALL,))
    found = findings_of(Run(processes=(process(compiled(0), messages=(message, message)),)))[0]
    assert (found.rule, found.where) == ("cuda-graph-skipped", (CALL,))
    assert found.what == "CUDA graphs are skipped, 2 times"
    assert found.evidence == ("skipping cudagraphs due to mutated inputs (1 instances)",)


def test_each_reason_of_a_skip_has_a_remedy() -> None:
    def remedy(reason: str) -> str:
        message = Message(text=f"skipping cudagraphs due to {reason}", stack=(CALL,))
        return findings_of(Run(processes=(process(compiled(0), messages=(message,)),)))[0].remedy

    assert remedy("mutated inputs (1 instances)").startswith("return a new tensor")
    assert remedy("cpu device (primals_1)").startswith("move this tensor to the GPU")
    assert remedy("incompatible op aten.bincount").startswith("call what the reason names between two")


def test_each_failed_compile_has_a_remedy() -> None:
    def found(reason: str, **about: Any) -> Finding:
        failed = compiled(0, outcome="failed", reason=reason, **about)
        return next(f for f in findings_of(Run(processes=(process(failed),))) if f.rule == "compile-failed")

    assert found("InternalTorchDynamoError: KeyError: 3").remedy.startswith(
        "put @torch.compiler.disable above what forward"
    )
    inductor = found("BackendCompilerFailed: backend='inductor' raised:\nValueError: 3").remedy
    assert "TORCH_COMPILE_OVERRIDE_BACKENDS" in inductor
    limit = found("FailOnRecompileLimitHit: …", guards=(FailedCheck("0/0: L['self'].steps == 1"),))
    assert limit.remedy.startswith("keep self.steps the same in all calls, or, if the code only adds")
    unsupported = (
        "Unsupported: Call to print\n  see https://meta-pytorch.github.io/compile-graph-break-site/gb/gb{}.html"
    )
    assert "fullgraph=True" in found(unsupported.format("9999")).remedy
    known = explain_break("GB0059", "")
    assert known and found(unsupported.format("0059")).remedy == known.words


#: Times of 1,000 calls: half of each call are guards.
GUARDED = {"calls": 1000, "seconds": 1.2, "compile_seconds": 1.0, "guarded_calls": 999, "guard_seconds": 0.1}


def test_guards_that_take_half_of_a_call_are_a_fault_and_advice_where_a_gpu_works() -> None:
    line = Location(file="/work/train.py", line=5)
    version = compiled(0, guard_count=2000, guarded_line=(line, 1900))
    (found,) = findings_of(Run(processes=(process(version, region=GUARDED),), seconds=3.0))
    assert (found.rule, found.severity, found.where[0]) == ("slow-guards", "fault", line)
    assert found.what == "checking guards takes 100 µs of each call of forward, which takes 200 µs"
    assert found.evidence == ("999 calls in 0.2 s", "1900 of 2000 guards are from this line")
    on_gpu = replace(version, gpu_memory=Memory(before=0, after=0))
    (found,) = findings_of(Run(processes=(process(on_gpu, region=GUARDED),), seconds=3.0))
    assert found.severity == "advice"


def test_few_guards_in_a_short_call_are_advice() -> None:
    (found,) = findings_of(Run(processes=(process(compiled(0, guard_count=9), region=GUARDED),), seconds=3.0))
    assert (found.rule, found.severity) == ("short-calls", "advice")


def test_guards_that_take_little_of_a_call_or_of_a_run_are_no_finding() -> None:
    version = compiled(0, guard_count=2000)
    assert rules(process(version, region=GUARDED | {"seconds": 2.0}), seconds=3.0) == []
    assert rules(process(version, region=GUARDED), seconds=10.0) == []
    assert rules(process(version, region=GUARDED | {"guarded_calls": 50}), seconds=3.0) == []


def test_autotuning_counts_its_kernels_and_cache_hits() -> None:
    tuned = compiled(0, seconds=9.0, autotuned=3, autotune_seconds=6.0, caches=("miss", "hit"))
    (found,) = findings_of(Run(processes=(process(tuned),), seconds=30.0))
    assert (found.rule, found.severity, found.seconds) == ("autotuning", "advice", 6.0)
    assert found.what == "timing candidates for 3 kernels of forward took 6.0 s"
    assert found.evidence[1] == "1 of 2 graphs came from Inductor's cache"
    assert rules(process(tuned), seconds=100.0) == []


def matmuls(*dtypes: str, device: str = "cuda") -> tuple[Matmul, ...]:
    lines = (Location(file="/work/model.py", line=number) for number in range(1, 9))
    return tuple(Matmul(dtype, device, line) for dtype, line in zip(dtypes, lines, strict=False))


def test_a_float32_matmul_among_others_in_bfloat16_has_its_line() -> None:
    (found,) = findings_of(Run(processes=(process(compiled(0, matmuls=matmuls("bf16", "f32", "bf16"))),)))
    assert (found.rule, found.severity) == ("float32-matmul", "advice")
    assert found.what == "1 of 3 matmuls on the GPU are in float32, the others in bfloat16"
    assert [line.line for line in found.where] == [2]
    assert rules(process(compiled(0, matmuls=matmuls("bf16", "f32", device="cpu")))) == []
    assert rules(process(compiled(0, matmuls=matmuls("bf16", "bf16")))) == []


def test_float32_alone_is_advice_where_tf32_is_off() -> None:
    full = compiled(0, matmuls=matmuls("f32", "f32"))
    assert rules(process(full)) == []  # a trace alone doesn't tell
    (found,) = findings_of(Run(processes=(process(replace(full, float32_precision="ieee")),)))
    assert (found.rule, found.severity, len(found.where)) == ("tf32-off", "advice", 2)


def test_versions_that_each_keep_much_memory_are_a_finding() -> None:
    def versions(growth: int) -> list[Compile]:
        static = [replace(item, memory=Memory(before=0, after=growth)) for item in sizes(4)]
        return [replace(item, gpu_memory=Memory(before=0, after=growth)) for item in static]

    static = {"dynamic": False, "own_limit": 16}
    found = findings_of(Run(processes=(process(*versions(10**8), region=static),)))
    assert found[0].what == "4 recompiles of forward added 400 MB of GPU memory"
    on_host = [replace(item, gpu_memory=None) for item in versions(10**8)]
    (found,) = findings_of(Run(processes=(process(*on_host, region=static, peak=2 * 10**9),)))
    assert (found.rule, found.what) == ("memory-of-versions", "4 recompiles of forward added 400 MB of memory")
    assert found.evidence == ("100 MB each", "the peak was 2,000 MB")
    assert rules(process(*versions(10**7), region=static)) == []


def recording(**about: Any) -> Interval:
    common = {"trigger": "CUDAGRAPH_RECORDING", "compile": "0/0", "start": 0.0, "seconds": 0.5, "stack": (CALL,)}
    return Interval(**common | {"mode": "INFERENCE"} | about)


MOVED = (
    "static input data pointer changed.\ninput name: primals_2. data pointer changed from 1 to 2. input stack trace: -"
)


def test_a_cuda_graph_that_is_recorded_again_has_torchs_reason() -> None:
    again = [recording(again=number, reason=MOVED if number else "") for number in range(4)]
    (found,) = findings_of(Run(processes=(process(compiled(0), intervals=tuple(again)),)))
    assert (found.rule, found.seconds, found.where[0]) == ("cuda-graph-recorded-again", 1.5, CALL)
    assert found.what == "a CUDA graph of forward was recorded again 3 times, 1.5 s"
    assert found.evidence == ("static input data pointer changed", "the input primals_2")
    assert "weight.copy_(new)" in found.remedy
    assert rules(process(compiled(0), intervals=tuple(again[:3]))) == []


def test_a_cuda_graph_for_each_size_names_the_sizes() -> None:
    each = tuple(recording(sizes=(number,)) for number in range(3, 9))
    (found,) = findings_of(Run(processes=(process(compiled(0), intervals=each),)))
    assert (found.rule, found.seconds) == ("cuda-graph-sizes", 3.0)
    assert found.evidence == ("sizes 3, 4, 5, 6, …, 8",)
    assert rules(process(compiled(0), intervals=each[:3])) == []
    training = [recording(mode=mode) for mode in ("FORWARD", "BACKWARD") * 3]  # parts of graphs, for no size
    assert rules(process(compiled(0), intervals=tuple(training))) == []


def test_a_trace_alone_tells_what_skipped_a_cuda_graph() -> None:
    reason = 'skipping cudagraphs due to mutated inputs. Found from:\n   File "/work/train.py", line 7, in step'
    alone = Process(pid=1, compiles=(compiled(0, region=None, cuda_graph_skipped=reason),))
    (found,) = findings_of(Run(processes=(alone,), collected=False))
    assert (found.rule, found.where[0].line) == ("cuda-graph-skipped", 7)
    assert found.evidence == ("skipping cudagraphs due to mutated inputs. Found from:",)


def test_an_empty_folder_of_traces_says_that_nothing_was_compiled() -> None:
    assert rules(collected=False) == ["nothing-compiled"]


def test_a_function_that_another_use_compiled_is_no_finding() -> None:
    both = process(compiled(0))
    other = Region(id=2, function="forward", code=FORWARD, stack=(CALL,), calls=5)
    assert rules(Process(pid=1, regions=(*both.regions, other), compiles=both.compiles)) == []


def test_ranks_that_recompile_alike_have_one_finding() -> None:
    ranks = [process(*sizes(5), rank=rank) for rank in range(4)]
    (found,) = findings_of(Run(processes=tuple(ranks)))
    assert (found.rule, found.seconds) == ("recompiles", 5.0)
    assert found.evidence[-1] == "4 times, in functions or processes"


def test_a_first_compile_that_takes_most_of_the_run_gets_advice() -> None:
    slow = compiled(0, seconds=60.0, stages={"Dynamo": 55.0, "AOTAutograd": 45.0, "Inductor": 40.0}, caches=("miss",))
    (found,) = findings_of(Run(processes=(process(slow),), seconds=100.0))
    assert (found.rule, found.severity) == ("compile-time", "advice")
    assert found.what == "the first compile of forward took 60.0 s, 60% of the run"
    assert found.evidence == (
        "Dynamo 10.0 s, AOTAutograd 5.0 s, Inductor 40.0 s",
        "0 of 1 graph came from Inductor's cache",
    )
    assert rules(process(slow), seconds=1000.0) == []


LOOPS = """
def scan(self, state, chunks):
    for chunk in chunks:
        state = state + chunk @ state
    return state

def forward(self, x):
    for layer in self.layers:
        x = x + layer(x)
    return x

def norm(self, x):
    return self.scale * x

def indexed(self, x):
    for i in range(12):
        x = x + self.layers[i](x)
    return x
"""


def test_a_loop_over_data_is_unrolled_and_layers_are_not(tmp_path: Path) -> None:
    """A line of a layer is in the graph of a model as often as the model has layers."""
    path = tmp_path / "model.py"
    path.write_text(LOOPS)

    def found(number: int, count: int) -> list[str]:
        line = Location(file=str(path), line=number)
        return rules(process(compiled(0, seconds=9.0, repeated=(Repeated(line, count),))), seconds=60.0)

    data, layers, helper, indexed = 4, 9, 13, 17
    assert found(data, 8) == ["unrolled-loop"] and found(data, 7) == []
    assert found(layers, 48) == [] and found(helper, 48) == [] and found(indexed, 48) == []
    assert found(helper, 300) == ["unrolled-loop"]


ATTENTION = """\
def forward(self, x):
    qkv = self.qkv(x)
    q, k, v = (t.transpose(1, 2) for t in qkv.chunk(3))
    return attention(q, k, v)

def layers(self, x):
    for block in self.blocks:
        x = x + block.attention(block.norm(x))
        x = x.relu()
    return x
"""


def test_layers_around_a_loop_are_no_steps_of_it(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(ATTENTION)

    def found(*bodies: tuple[int, int, int | None]) -> list[Finding]:
        lines = [Repeated(Location(file=str(path), line=n), copies, None, steps) for n, copies, steps in bodies]
        return findings_of(Run(processes=(process(compiled(0, seconds=9.0, repeated=tuple(lines))),), seconds=60.0))

    assert found((3, 36, 3)) == []  # three tensors in twelve layers
    assert found((3, 36, None), (2, 12, None)) == []  # in a trace, lines of the function tell how often it is called
    (loop,) = found((3, 36, 18))
    assert loop.what.startswith("a loop is unrolled 18 times in one graph")
    assert found((9, 12, 12), (8, 12, 1)) == []  # an operation between layers is in no module
    assert found((9, 12, None)) == []  # blocks of self are called


RECURRENT = """\
def forward(self, x, state):
    for t in range(x.shape[1]):
        for cell in self.cells:
            state = cell(x[:, t], state)
    return state

def step(self, state):
    for _ in range(self.steps):
        state = self.block(state)
    return state
"""


def test_the_loop_is_shown_with_its_steps_and_its_share_of_the_compile(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(RECURRENT)

    def findings(number: int, **about: Any) -> list[Finding]:
        body = Repeated(Location(file=str(path), line=number), 24, 80)
        slow = compiled(0, seconds=9.0, backward_seconds=11.0, operations=100, repeated=(body,), **about)
        return findings_of(Run(processes=(process(slow),), seconds=60.0))

    (loop,) = findings(9)
    assert [place.line for place in loop.where[:2]] == [8, 9]
    assert loop.what == "a loop is unrolled 24 times in one graph, and compiling it took 20.0 s"
    assert loop.seconds == 20.0 * 80 / (100 + 100) * 23 / 24  # a graph costs as much as 100 operations
    (nested,) = findings(4)  # 24 copies of the line may be 12 steps of 2 layers
    assert [place.line for place in nested.where[:2]] == [2, 4] and nested.what.startswith("a line is 24 times")
    assert findings(9, nested=True) == [] and findings(9, outcome="failed") == []


def test_what_counts_of_a_loop_is_its_share_of_the_run() -> None:
    body = Repeated(Location(file="/work/model.py", line=3), 300)

    def found(seconds: float, run: float) -> list[str]:
        return rules(process(compiled(0, seconds=seconds, repeated=(body,))), seconds=run)

    assert found(3.0, 20.0) == ["unrolled-loop"] and found(3.0, 40.0) == []
    assert found(0.9, 2.0) == [] and found(30.0, 3600.0) == ["unrolled-loop"]


def test_a_compile_that_the_user_stopped_is_named_with_its_loop(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(RECURRENT)

    def found(number: int, reason: str) -> list[Finding]:
        code = Location(file=str(path), line=number, function="step" if number == 7 else "forward")
        stopped = compiled(0, seconds=60.0, outcome="failed", reason=reason, code=code)
        return findings_of(Run(processes=(process(stopped),), seconds=80.0))

    (loop,) = found(7, "KeyboardInterrupt: ")
    assert (loop.rule, loop.severity, loop.seconds) == ("unfinished-compile", "fault", 60.0)
    assert loop.where[0].line == 8 and loop.remedy.startswith("compile one step")
    assert found(7, "Ended: the program ended during this compile") == [loop]
    (other,) = found(3, "KeyboardInterrupt: ")  # no function begins there
    assert other.remedy.startswith("compile a part of it first")
    assert [each.rule for each in found(7, "KeyError: 3")] == ["compile-failed"]


CACHED = {"Dynamo": 16.0, "AOTAutograd": 14.0, "Inductor": 12.0}


def test_a_program_that_compiles_most_of_its_time_gets_advice() -> None:
    """On a busy machine and on a quiet one: what counts are shares of the run."""

    def found(times: float, **about: Any) -> list[Finding]:
        stages = {name: seconds * times for name, seconds in CACHED.items()}
        cold = {"seconds": 19.0 * times, "stages": stages, "caches": ("miss",)} | about
        return findings_of(Run(processes=(process(compiled(0, **cold)),), seconds=26.0 * times))

    for times in (1.0, 4.0):
        (advice,) = found(times)
        assert (advice.rule, advice.severity, advice.seconds) == ("compile-time", "advice", 19.0 * times)
        assert advice.remedy == "keep the folder of TORCHINDUCTOR_CACHE_DIR from run to run"
    assert found(0.2) == []
    assert found(1.0, caches=("hit",)) == [] and found(1.0, stages={"Dynamo": 16.0}, caches=()) == []
    assert "a setting turns off" in found(1.0, caches=())[0].remedy
    reason = "AOTAutograd's cache can't hold it: Unsupported call_function target"
    assert found(1.0, bypass="Unsupported call_function target")[0].evidence[0] == reason


def test_many_compiles_are_one_advice() -> None:
    several = [compiled(n, frame=n, seconds=4.0, stages={"AOTAutograd": 3.0, "Inductor": 2.0}) for n in range(5)]
    (advice,) = findings_of(Run(processes=(process(*several),), seconds=40.0))
    assert advice.what == "the first compile of forward and 4 other functions took 20.0 s, 50% of the run"
    assert rules(process(*several), seconds=80.0) == []


def test_the_remedy_for_a_long_compile_names_blocks_where_there_are_some() -> None:
    line = Location(file="/work/model.py", line=3)
    adam = Location(file="/venv/lib/python3.12/site-packages/torch/optim/adam.py", line=700)
    keep = "keep the folder"
    blocks, optimizer = (Repeated(line, 4),), (Repeated(adam, 40), Repeated(line, 4))
    for repeated, words in ((blocks, "compile the block"), (optimizer, keep), ((), keep)):
        slow = compiled(0, seconds=60.0, stages=CACHED, caches=("miss",), repeated=repeated)
        (advice,) = findings_of(Run(processes=(process(slow),), seconds=100.0))
        assert advice.remedy.startswith(words)


def test_a_version_for_training_and_one_for_evaluation_get_no_advice() -> None:
    def versions(guard: str) -> list[Compile]:
        return [compiled(0, seconds=9.0), compiled(1, seconds=9.0, guards=(FailedCheck(guard),))]

    assert rules(process(*versions("0/0: GLOBAL_STATE changed: grad_mode")), seconds=50.0) == []
    assert rules(process(*versions("0/0: GLOBAL_STATE changed: autocast_state")), seconds=50.0) == ["recompiles"]


def test_two_recompiles_that_cost_much_get_advice() -> None:
    run = Run(processes=(process(*sizes(2)),), seconds=10.0)
    assert [found.rule for found in findings_of(run)] == []
    slow = [replace(item, start=4 * item.start, seconds=4.0) for item in sizes(2)]
    (found,) = findings_of(Run(processes=(process(*slow),), seconds=20.0))
    assert (found.rule, found.severity, found.seconds) == ("recompiles", "advice", 8.0)
    in_threads = [replace(item, start=1.0, seconds=8.0) for item in sizes(2)]
    assert findings_of(Run(processes=(process(*in_threads),), seconds=20.0))[0].seconds == 8.0
    assert rules(process(*slow), seconds=200.0) == []


LIBRARY = Location(file="/venv/lib/python3.12/site-packages/transformers/trainer.py", line=1800, function="train")


def test_a_size_that_a_library_passes_is_marked_where_the_reader_can() -> None:
    """In the reader's torch.compile, else from outside: there is no line in which to mark the tensor."""

    def found(used: tuple[Location, ...], source: str = "x") -> Finding:
        guard = FailedCheck(f"0/0: tensor '{source}' size mismatch at index 1. expected 53, actual 43")
        called = {"stack": (LIBRARY, CALL), "seconds": 9.0}
        versions = compiled(0, **called), compiled(1, **called, guards=(guard,))
        use = Region(id=1, function="forward", code=FORWARD, stack=used, calls=9)
        (advice,) = findings_of(Run(processes=(Process(pid=1, regions=(use,), compiles=versions),), seconds=50.0))
        assert "a library calls this function" in advice.evidence[1]
        return advice

    own = found((CALL,))
    assert (own.remedy, own.where[0]) == ("torch.compile(…, dynamic=True)", CALL)
    of_library = found((LIBRARY, CALL), "kwargs['input_ids']").remedy
    assert of_library.startswith("`TORCH_COMPILE_DYNAMIC_SOURCES=\"L['kwargs']['input_ids']\"` in the environment")


def test_inputs_of_one_size_are_marked_together() -> None:
    """Marking one of two is an error; naming both, or ``dynamic=True``, gives one version."""
    import torch
    from torch._dynamo.testing import CompileCounter

    def versions(marked: str = "", sources: str = "", dynamic: bool | None = None) -> int:
        torch.compiler.reset()
        counter = CompileCounter()

        @torch.compile(backend=counter, dynamic=dynamic)
        def masked(**kwargs: torch.Tensor) -> torch.Tensor:
            return kwargs["x"] * kwargs["mask"]

        with torch.compiler.config.patch(dynamic_sources=sources):
            for length in (5, 7, 9):
                inputs = {"x": torch.ones(2, length), "mask": torch.ones(2, length)}
                for name in marked.split():
                    torch._dynamo.mark_dynamic(inputs[name], 1)
                masked(**inputs)
        return counter.frame_count

    assert versions() == versions(sources="L['kwargs']['x']") == 2
    assert versions("x mask") == versions(sources="L['kwargs']['x'],L['kwargs']['mask']") == versions(dynamic=True) == 1
    with pytest.raises(Exception, match="You marked"):
        versions("x")


def test_one_version_for_each_of_two_uses_gets_no_advice() -> None:
    """A cache that was not initialized, and calls with another number of arguments, as in generate."""
    for guard in ("self.layers[0].is_initialized == False", "len(kwargs) == 6", "not L['cache']"):
        slow = compiled(0, seconds=9.0), compiled(1, seconds=9.0, guards=(FailedCheck(f"0/0: {guard}"),))
        assert rules(process(*slow), seconds=50.0) == [], guard


def test_a_prompt_and_a_token_are_two_uses_and_no_cause() -> None:
    """Each call that recompiles fails ``len(kwargs)`` of the other use, and the size in its own use."""
    size, length = "0/{}: tensor 'x' size mismatch at index 1. expected {}, actual 9", "0/{}: len(kwargs) == 6"
    versions = [compiled(0), compiled(1, guards=(FailedCheck(length.format(0)),))]
    versions += [
        compiled(n, guards=(FailedCheck(length.format(n - 1)), FailedCheck(size.format(n - 2, n)))) for n in (2, 3)
    ]
    assert rules(process(*versions)) == []
    assert most_telling(versions[3].guards).what == "the size of x in dimension 1"


def test_a_compile_that_failed_gets_the_remedy_of_the_catalogue() -> None:
    def found(reason: str) -> Finding:
        (finding,) = findings_of(Run(processes=(process(compiled(0, outcome="failed", reason=reason)),)))
        return finding

    branch = "UserError: Consider annotating. Could not guard on data-dependent expression zuf0 > 1.0"
    assert "torch._check" in found(branch).remedy
    assert found(branch).lesson == "dynamo/unbacked#what-goes-wrong-could-not-guard-on-data-dependent-expression"
    backend = "BackendCompilerFailed: backend='own' raised:\nRuntimeError: no kernel"
    assert found(backend).lesson == "fix/crashes"
    assert found("KeyError: 'a name of the program'").lesson == "fix/crashes"


def test_a_model_that_takes_little_of_the_time_is_not_the_one_to_compile() -> None:
    def found(forward: float, backward: float = 0.0) -> Finding:
        (advice,) = findings_of(Run(processes=(Process(pid=1, modules=((CALL, forward),), backward=backward),)))
        assert (advice.rule, advice.severity, advice.where) == ("no-torch-compile", "advice", (CALL,))
        return advice

    assert found(0.6).remedy.startswith("compile this model first")
    assert found(0.09, 0.16).remedy.startswith("compile this model first")  # its backward pass is compiled too
    assert found(0.09, 0.16).evidence == (
        "the module that this line calls takes 9% of the time, and backward passes 16%",
    )
    little = found(0.09)
    assert "little of its time is in a model" in little.what
    assert little.remedy.startswith("find out what the rest of the time is")


def test_what_to_call_depends_on_what_was_compiled() -> None:
    """Only a module has other methods."""

    def found(module: str | None) -> Finding:
        (finding,) = findings_of(Run(processes=(process(region={"calls": 0, "module": module}),)))
        return finding

    assert "model.compile() if they call self(…)" in found("Model").remedy
    assert found(None).remedy == "call what torch.compile returns, not the original"
    assert [found(module).lesson for module in ("Model", None)] == [
        "production/placement#a-method-that-isnt-forward",
        "production/placement",
    ]


def test_a_program_that_failed_may_not_have_come_to_the_call() -> None:
    unused = process(region={"calls": 0})
    assert rules(unused) == rules(unused, status=143, stopped="--seconds 60") == ["nothing-compiled"]
    assert rules(unused, status=1) == []


def test_code_without_an_operation_is_nothing_compiled() -> None:
    empty = compiled(0, operations=0)
    (found,) = findings_of(Run(processes=(process(empty),)))
    assert (found.rule, found.what) == (
        "nothing-compiled",
        "forward was called 100 times, and no operation in it was compiled",
    )
    assert rules(process(empty, compiled(1, frame=1, operations=3))) == []
    broken = GraphBreak(compile="0/0", gb_id=None, gb_type="print", stack=(FORWARD,))
    assert rules(process(empty, breaks=(broken,))) == ["graph-break"]  # the cause is there
    assert rules(process(compiled(0))) == []  # a trace that was cut off has no metrics


def test_a_size_tells_more_than_a_second_use_where_both_cost_as_much() -> None:
    """A static cache that is as long as each prompt asks for: transformers' generate calls with 6 or 7 arguments."""
    size = "0/0: tensor 'x' size mismatch at index 1. expected 5, actual 9"
    each = [compiled(n, guards=(FailedCheck(guard),)) for n, guard in enumerate(("0/0: len(kwargs) == 6", size), 1)]
    slow = [replace(item, seconds=9.0) for item in (compiled(0), *each)]
    (found,) = findings_of(Run(processes=(process(*slow),), seconds=50.0))
    assert (found.severity, found.evidence[0]) == ("advice", "the size of x in dimension 1: 5 → 9")
    assert found.evidence[1] == "the length of kwargs"


def test_a_break_that_a_library_asks_for_is_not_the_users_to_remove() -> None:
    cause = "Skip inlining `torch.compiler.disable()`d function"
    user = Location(file="/work/train.py", line=7, function="training_step")
    library = Location(file="/venv/lib/python3.12/site-packages/lightning/module.py", line=531, function="log")
    for inside, words in (((user, library), "a library asks for this break"), ((user,), "Remove the call")):
        broken = GraphBreak(compile="0/0", gb_id=None, gb_type=cause, hints=("Remove the call",), stack=inside)
        (found,) = findings_of(Run(processes=(process(compiled(0), breaks=(broken,)),)))
        assert (found.rule, found.where[0].line) == ("graph-break", 7)
        assert found.remedy.startswith(words)


def test_a_line_of_a_library_is_not_the_users_to_move() -> None:
    library = Location(file="/venv/lib/python3.12/site-packages/trl/chunked.py", line=356, function="tile")
    for inside, words, where in (
        ((library,), "compile the part of trl's model that doesn't break", CALL),
        ((FORWARD, library), "move this line", FORWARD),
    ):
        broken = GraphBreak(compile="0/0", gb_id=None, gb_type="non-contiguous out=", stack=inside)
        (found,) = findings_of(Run(processes=(process(compiled(0), breaks=(broken,)),)))
        assert found.remedy.startswith(words) and found.where == (where,)


def test_a_detector_that_was_stopped_while_it_compiled_is_named_by_the_users_line() -> None:
    """torchvision's, as on an H200: its first loop never runs, as ``targets`` is None, and sizes change."""
    folder = "/venv/lib/python3.12/site-packages/torchvision/models/detection"
    forward = Location(file=f"{folder}/generalized_rcnn.py", line=47, function="forward")
    boxes = [Location(file=f"{folder}/{name}.py", line=9) for name in ("roi_heads", "_utils", "rpn")]
    breaks = [GraphBreak(compile="0/0", gb_id=None, gb_type="nms", stack=(forward, line)) for line in boxes]
    guard = FailedCheck("0/0: tensor 'images' size mismatch at index 1. expected 800, actual 1066")
    model = {"code": forward, "name": "GeneralizedRCNN.forward"}
    stopped = compiled(1, outcome="failed", reason="Ended: …", seconds=165.5, guards=(guard,), **model)
    found, broken = findings_of(Run(processes=(process(compiled(0, **model), stopped, breaks=tuple(breaks)),)))
    assert (found.rule, found.where) == ("unfinished-compile", (CALL, forward))
    assert "unfinished-compile" not in rules(process(stopped), status=139)  # it crashed
    assert found.remedy.startswith("compile the part of this model") and "model.backbone.compile()" in found.remedy
    assert found.evidence == (
        "it is compiled again for the size of images in dimension 1: 800 → 1066",
        "before it, the graph breaks in roi_heads.py:9 and 2 other lines",
    )
    assert (broken.what, broken.where) == ("break: 3 graph breaks inside torchvision, from one call", (CALL,))
    assert "model.backbone.compile()" in broken.remedy


#: What torch 2.13 says of a metric that counts its updates, in a module that is compiled with it.
COUNTED = """\
0/0: self._modules['accuracy']._update_count == 0  # self._update_count += 1  # torchmetrics/metric.py:560 in wrapped
User stack trace:
  File "/work/train.py", line 4, in forward
    self.accuracy(logits, target)
  File "/venv/lib/python3.12/site-packages/torchmetrics/metric.py", line 560, in wrapped
    self._update_count += 1"""


def test_a_number_of_a_library_s_object_is_not_the_users_to_keep() -> None:
    calls = [compiled(n, guards=(FailedCheck(COUNTED),) if n else ()) for n in range(4)]
    (found,) = findings_of(Run(processes=(process(*calls),)))
    assert replace(found.where[0], text="") == FORWARD and "metric.py:560 reads it" in found.evidence
    assert found.remedy.startswith("this is a library's") and "self.net.compile()" in found.remedy


def test_a_function_that_is_compiled_for_itself_after_a_limit_is_told_with_the_limit() -> None:
    """A limit leaves ``attend`` in eager mode, so FlexAttention compiles its own function, for the same number."""
    hop = Location(
        file="/venv/lib/python3.12/site-packages/torch/nn/attention/flex_attention.py", line=1, function="hop"
    )
    outer = FailedCheck("0/0: G['window'] == 4")
    inner = FailedCheck("1/0: G['__import___main__'].window == 9")
    calls = [compiled(n, guards=(outer,) if n else (), outcome="limit" if n == 4 else "compiled") for n in range(5)]
    calls += [compiled(n, frame=1, code=hop, name="hop", start=9.0 + n, guards=(inner,) if n else ()) for n in range(5)]
    (found,) = findings_of(Run(processes=(process(*calls),)))
    assert (found.rule, found.seconds) == ("recompile-limit", 8.0)
    assert "the global variable window" in found.evidence[0]
    assert found.evidence[1:] == ("as a result, hop (in forward) is compiled again, for the same cause",)


def test_what_follows_from_a_break_is_told_with_the_break() -> None:
    """A layer reads a number; a loop over layers can't be divided there, and what follows depends on the number."""
    read = Location(file="/work/train.py", line=20, function="layer")
    rest = Location(file="/work/train.py", line=20, function="torch_dynamo_resume_in_layer_at_20")
    layer = {"code": Location(file="/work/train.py", line=18, function="layer"), "name": "layer"}
    guard = FailedCheck("2/0: ___check_obj_id(___stack0, 94275153188320)")
    whole = compiled(0, outcome="skipped", reason="Unsupported: Tensor.item()", id="0/0")
    parts = [compiled(0, id="1/0", frame=1, **layer)]
    parts += [
        compiled(n, id=f"2/{n}", frame=2, code=rest, name="layer", guards=(guard,) if n else ()) for n in range(5)
    ]
    breaks = tuple(
        GraphBreak(compile=id, gb_id="GB0124", gb_type="Unsupported Tensor.item()", stack=stack)
        for id, stack in (("0/0", (FORWARD, read)), ("1/0", (read,)))
    )
    use = {"calls": 100, "seconds": 9.0, "compile_seconds": 1.0}
    (found,) = findings_of(Run(processes=(process(whole, *parts, breaks=breaks, region=use),)))
    assert (found.rule, found.where, found.seconds) == ("graph-break", (read,), 8.0 + 4.0)
    assert found.evidence == (
        "as a result, forward runs in eager mode as a whole: 100 calls",
        "as a result, layer, from the graph break in line 20 on, was compiled 5 times, 4.0 s of that again",
    )
    alone = process(whole, breaks=breaks[:1], region=use)  # no other compile has the break
    assert rules(alone) == ["skipped"]


def test_a_name_of_another_module_is_the_users_own() -> None:
    guard = most_telling([FailedCheck("0/0: G['__import_package_dot_masks'].settings.window == 4")])
    assert guard.what == "the attribute settings.window, a Python number"


def test_a_break_in_what_a_line_calls_has_its_own_place() -> None:
    torchs = Location(file="/venv/lib/python3.12/site-packages/torch/nn/modules/transformer.py", line=1210)
    for inside, note in (
        ((FORWARD, torchs), ("why", "in transformer.py:1210, which this line calls")),
        ((FORWARD,), ("why",)),
    ):
        broken = GraphBreak(compile="0/0", gb_id=None, gb_type="item()", explanation="why", stack=inside)
        (found,) = findings_of(Run(processes=(process(compiled(0), breaks=(broken,)),)))
        assert (found.where, found.evidence) == ((FORWARD,), note)


def test_a_value_in_a_function_of_a_library_is_not_the_users_to_pass() -> None:
    """Lightning's ``log`` reads which step runs; its caller is the user's."""
    log = Location(file="/venv/lib/python3.12/site-packages/lightning/module.py", line=400, function="log")
    guard = FailedCheck("0/0: self._trainer._current == 'training_step'")
    calls = [compiled(n, code=log, name="Module.log", guards=(guard,) if n else ()) for n in range(4)]
    (found,) = findings_of(Run(processes=(process(*calls),)))
    assert found.remedy.startswith("this is a library's")
    own = [replace(item, code=FORWARD) for item in calls]
    assert "library" not in findings_of(Run(processes=(process(*own),)))[0].remedy


def test_worst_first() -> None:
    def finding(**about: Any) -> Finding:
        return Finding(**{"rule": "r", "severity": "fault", "what": ""} | about)

    advice, unknown, small, large = (
        finding(severity="advice", seconds=9.0),
        finding(),
        finding(seconds=1.0),
        finding(seconds=2.0),
    )
    assert worst_first([advice, unknown, small, large]) == [large, small, unknown, advice]
    added_up = finding(seconds=0.1 + 0.2), finding(seconds=0.3, what="the same times in another order")
    assert worst_first(added_up) == list(added_up) and worst_first(added_up[::-1]) == list(added_up[::-1])


#: Facts of benchmarks/diagnose_gpu.py on an H200 with torch 2.11, 3 steps each.
SMALL = Profile(region=1, first=7, steps=3, seconds=0.0517, device="NVIDIA H200", busy=0.0056, launching=0.0413,
                work=(ProfiledWork("sgemm", 48, 0.0056, True), ProfiledWork("others", 582, 0.0, True)))  # fmt: skip
LARGE = replace(SMALL, seconds=0.1967, busy=0.1913, launching=0.0027)


def test_a_gpu_that_waits_for_launches_gets_advice() -> None:
    (found,) = findings_of(Run(processes=(process(compiled(0), profile=SMALL),), seconds=25.0))
    assert (found.rule, found.severity, found.where) == ("gpu-idle", "advice", (CALL, FORWARD))
    assert found.what == "the GPU is idle for 89% of each step, and waits for launches"
    assert found.evidence == (
        "from call to call, 210 kernels and copies run for 1.87 ms of 17.2 ms",
        "for 90% of the time without a kernel, torch works on the CPU, which launches them",
    )
    assert 'mode="reduce-overhead"' in found.remedy
    recorded = Interval(trigger="CUDAGRAPH_RECORDING", compile="0/0", start=1.0, seconds=0.1)
    (found,) = findings_of(Run(processes=(process(compiled(0), profile=SMALL, intervals=(recorded,)),), seconds=25.0))
    assert found.remedy == "make each call longer, with a larger batch"


def test_a_gpu_is_idle_by_the_time_of_calls_that_no_profiler_slows() -> None:
    def steps(seconds: float) -> tuple[Span, ...]:
        ends = [n * seconds for n in range(1, 21)]
        return tuple(span(end - seconds, end, seconds=seconds / 2) for end in ends)

    (found,) = findings_of(Run(processes=(process(compiled(0), profile=SMALL, spans=steps(0.01)),), seconds=25.0))
    assert found.what.startswith("the GPU is idle for 81% of each step") and "1.87 ms of 10 ms" in found.evidence[0]
    assert rules(process(compiled(0), profile=SMALL, spans=steps(0.003)), seconds=25.0) == []


def test_a_busy_gpu_and_one_that_waits_for_data_get_no_advice() -> None:
    waits_for_data = replace(SMALL, launching=0.01)
    on_cpu = replace(SMALL, device=None, busy=None, launching=None)
    for profile in (LARGE, waits_for_data, on_cpu, Profile(why="no kernel")):
        assert rules(process(compiled(0), profile=profile), seconds=25.0) == []


def after_resets(*ids: str, **about: Any) -> list[Compile]:
    return [compiled(0, id=id, start=float(number), **about) for number, id in enumerate(ids)]


def test_resets_in_a_loop_are_a_fault_in_the_line_that_calls_them() -> None:
    reset = Location(file="/work/train.py", line=12, function="<module>")
    torchs = Location(file="/venv/lib/python3.11/site-packages/torch/compiler/__init__.py", line=60, function="reset")
    own = process(*after_resets("0/0", "0/0#2", "0/0#3"), resets=(Reset(stack=(torchs, reset)),) * 3)
    (found,) = findings_of(Run(processes=(own,), seconds=10.0))
    assert (found.rule, found.severity, found.seconds, found.where[0]) == ("reset", "fault", 2.0, reset)
    assert found.what == "torch._dynamo.reset() made forward compile again, 2 times"
    assert found.evidence == ("2.0 s, 20% of the run",)


def test_a_trace_alone_has_the_ids_that_begin_again() -> None:
    traced = Process(pid=1, compiles=tuple(after_resets("0/0", "0/0#2", "0/0#3", region=None)))
    (found,) = findings_of(Run(processes=(traced,), seconds=10.0, collected=False))
    assert (found.rule, found.where) == ("reset", (FORWARD,))


def test_other_compiles_after_a_reset_are_no_finding() -> None:
    assert rules(process(*after_resets("0/0", "0/0#2")), seconds=10.0) == []  # one more part of the program
    each = [replace(item, region=number) for number, item in enumerate(after_resets("0/0", "0/0#2", "0/0#3"))]
    assert rules(process(*each), seconds=10.0) == []  # a new torch.compile for each experiment
    assert rules(process(*after_resets("0/0", "1/0", "2/0")), seconds=10.0) == []  # no reset: functions made anew
