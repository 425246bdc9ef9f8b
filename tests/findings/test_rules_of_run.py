"""Rules on facts that are written down here, for what no small program shows on a CPU."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from compile_lessons.facts.run import (
    Compile,
    FailedCheck,
    GraphBreak,
    Interval,
    Matmul,
    Memory,
    Message,
    Process,
    Region,
    Run,
)
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding, worst_first
from compile_lessons.findings.guards import most_telling
from compile_lessons.findings.rules_of_run import findings_of

FORWARD = Location(file="/work/train.py", line=4, function="forward")
CALL = Location(file="/work/train.py", line=9, function="<module>")


def compiled(number: int, **about: Any) -> Compile:
    defaults: dict[str, Any] = {
        "id": f"0/{number}",
        "frame": 0,
        "number": number,
        "code": FORWARD,
        "name": "forward",
        "outcome": "compiled",
        "start": float(number),
        "seconds": 1.0,
        "region": 1,
        "stack": (CALL,),
    }
    return Compile(**defaults | about)


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


def test_a_rank_that_compiles_more_is_named() -> None:
    alike = [process(compiled(0), rank=rank) for rank in range(2)]
    assert rules(*alike) == []
    found = findings_of(Run(processes=(alike[0], process(*sizes(2), rank=1))))[0]
    assert (found.rule, found.seconds) == ("ranks-differ", 2.0)
    assert found.what == "rank 1 compiled for 3.0 s, rank 0 for 1.0 s"


def test_a_rank_that_compiles_a_function_of_torch_is_found_at_the_user_s_call() -> None:
    wrapper = Location(
        file="/venv/lib/python3.12/site-packages/torch/_dynamo/external_utils.py", line=67, function="inner"
    )
    twice = [replace(compiled(n), code=wrapper, stack=(CALL,)) for n in range(2)]
    found = findings_of(Run(processes=(process(twice[0], rank=0), process(*twice, rank=1))))[0]
    assert (found.rule, found.where) == ("ranks-differ", (CALL,))


def test_a_rank_with_a_cold_cache_is_told_apart_from_warm_ones() -> None:
    warm, cold = (compiled(0, seconds=seconds, caches=(cache,)) for seconds, cache in ((1.0, "hit"), (9.0, "miss")))
    (found,) = findings_of(Run(processes=(process(warm, rank=0), process(cold, rank=1))))
    assert (found.rule, found.seconds) == ("ranks-differ", 8.0)
    assert found.evidence[1:] == (
        "the others wait for rank 1 at their next collective",
        "rank 1: 0 of 1 graph came from the cache",
        "rank 0: 1 of 1 graph came from the cache",
    )


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
    assert "1 of 2 graphs came from the cache" in found.evidence[1]
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
        "0 of 1 graphs came from Inductor's cache",
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
"""


def test_a_loop_over_data_is_unrolled_and_layers_are_not(tmp_path: Path) -> None:
    """A line of a layer is in the graph of a model as often as the model has layers."""
    path = tmp_path / "model.py"
    path.write_text(LOOPS)

    def found(number: int, count: int) -> list[str]:
        line = Location(file=str(path), line=number)
        return rules(process(compiled(0, seconds=9.0, repeated=((line, count),))), seconds=99.0)

    data, layers, helper = 4, 9, 13
    assert found(data, 8) == ["unrolled-loop"] and found(data, 7) == []
    assert found(layers, 48) == [] and found(helper, 48) == []
    assert found(helper, 300) == ["unrolled-loop"]


def test_the_remedy_for_a_long_compile_names_blocks_where_there_are_some() -> None:
    line = Location(file="/work/model.py", line=3)
    adam = Location(file="/venv/lib/python3.12/site-packages/torch/optim/adam.py", line=700)
    keep = "keep the folder"
    for repeated, words in (((line, 4),), "compile the block"), (((adam, 40), (line, 4)), keep), ((), keep):
        slow = compiled(0, seconds=60.0, repeated=repeated)
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
    slow = [replace(item, seconds=4.0) for item in sizes(2)]
    (found,) = findings_of(Run(processes=(process(*slow),), seconds=20.0))
    assert (found.rule, found.severity, found.seconds) == ("recompiles", "advice", 8.0)
    assert rules(process(*slow), seconds=200.0) == []


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


def test_code_without_an_operation_is_nothing_compiled() -> None:
    empty = compiled(0, operations=0)
    (found,) = findings_of(Run(processes=(process(empty),)))
    assert (found.rule, found.what) == (
        "nothing-compiled",
        "forward was called 100 times, and no operation in it was compiled",
    )
    assert rules(process(empty, compiled(1, frame=1, operations=3))) == []
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
        broken = GraphBreak(compile="0/0", gb_id=None, cause=cause, hints=("Remove the call",), inside=inside)
        (found,) = findings_of(Run(processes=(process(compiled(0), breaks=(broken,)),)))
        assert (found.rule, found.where[0].line) == ("graph-break", 7)
        assert found.remedy.startswith(words)


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
