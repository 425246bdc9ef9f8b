"""Files of ``TORCH_TRACE`` as torch 2.13 writes them, shortened."""

import dataclasses
import re
from pathlib import Path

import pytest
import torch
from torch._dynamo.utils import CompilationMetrics

from compile_lessons.facts.run import Matmul
from compile_lessons.facts.source import Location
from compile_lessons.trace.kinds import KINDS, UNREAD, Metrics, RuntimeMetrics, parse_break
from compile_lessons.trace.records import Unread
from compile_lessons.trace.structured import read_traces

PREFIX = "V1127 02:55:03.035000 {pid} torch/_dynamo/utils.py:2350] "
BREAK = """Graph break in user code at /work/train.py:8
Graph Break Reason: Encountered graph break when attempting to trace CALL: a function call, e.g. f(x, y):

Failed to trace builtin operator
  Explanation: Dynamo does not know how to trace builtin operator `print` with argument types ['str']
  Hint: Avoid calling builtin `print`.
  Hint: Please file an issue to PyTorch.

  Developer debug context: builtin print [] False

 For more details about this graph break, please visit: https://example.org/gb/gb0059.html

User code traceback:
  File "/work/train.py", line 12, in <module>
    forward(x)
  File "/venv/trace/collector/compile_lessons_collector/frames.py", line 300, in __call__
    result = original(self)
  File "/work/train.py", line 8, in forward
    print("done")

Traceback (most recent call last):
  File "/venv/torch/_dynamo/symbolic_convert.py", line 1076, in wrapper
"""


def line(number: int, function: str, file: str = "/work/train.py", text: str = "") -> Location:
    return Location(file=file, line=number, function=function, text=text)


def test_a_break_has_its_cause_and_the_users_stack() -> None:
    found = parse_break(BREAK)
    assert (found.gb_id, found.gb_type) == ("GB0059", "Failed to trace builtin operator")
    assert found.hints == ("Avoid calling builtin `print`.", "Please file an issue to PyTorch.")
    assert found.stack == (line(12, "<module>", text="forward(x)"), line(8, "forward", text='print("done")'))


def test_ids_that_begin_again_are_other_compiles(tmp_path: Path) -> None:
    """``torch._dynamo.reset()`` begins to count again. A compile is traced anew after a break, under its own id."""
    ids = IDS.format(0)
    start = '{{"dynamo_start": {{"stack": [{{"line": {}, "name": "step", "filename": 1}}]}}, ' + ids + "}}"
    hit = '{"artifact": {"name": "fx_graph_cache_hit", "encoding": "json"}, ' + ids + "}"
    (tmp_path / "dedicated_log_torch_trace_ab.log").write_text(
        record('{"str": ["/work/train.py", 1]}')
        + "".join(record(start.format(line)) + record(hit, "{}") * line for line in (1, 2, 3))
    )
    entries = read_traces(tmp_path, Unread())[0].compiles
    assert {id: len(entry.caches) for id, entry in entries.items()} == {"0/0": 1, "0/0#2": 2, "0/0#3": 3}
    assert [entry.stack[0].line for entry in entries.values()] == [1, 2, 3]


def record(text: str, payload: str = "", pid: int = 7) -> str:
    return PREFIX.format(pid=pid) + text + "\n" + "".join(f"\t{line}\n" for line in payload.splitlines())


IDS = '"frame_id": 0, "frame_compile_id": {}, "attempt": 0'


def test_records_by_process_and_compile(tmp_path: Path) -> None:
    ids = IDS.format(1)
    (tmp_path / "dedicated_log_torch_trace_rank_2_ab.log").write_text(
        record('{"str": ["/work/train.py", 1]}')
        + record('{"chromium_event": {}, ' + ids + ', "has_payload": "0"}', "{ no JSON")
        + record('{"dynamo_start": {"stack": [{"line": 4, "name": "step", "filename": 1}]}, ' + ids + "}")
        + record('{"artifact": {"name": "recompile_reasons", "encoding": "json"}, ' + ids + "}", '["0/0: n == 1"]')
        + record('{"artifact": {"name": "dynamo_graph_break_reason", "encoding": "string"}, ' + ids + "}", BREAK)
        + record('{"artifact": {"name": "fx_graph_cache_hit", "encoding": "json"}, ' + ids + "}", "{}")
        + record('{"dynamo_output_graph": {}, ' + ids + "}", "  # File: /work/train.py:4 in step, code: x = f(x)\n" * 3)
        + record('{"compilation_metrics": {"co_name": "step", "pytorch_version": "2.13.0"}, ' + ids + "}", pid=8)
        + record('{"compilation_metrics": {"co_na')[:-1]  # killed while torch wrote it
    )
    processes = {process.pid: process for process in read_traces(tmp_path, Unread())}
    assert {pid: process.rank for pid, process in processes.items()} == {7: 2, 8: 2}
    assert processes[7].unread.lost == {"payload of chromium_event": 1}
    entry = processes[7].compiles["0/1"]
    assert entry.stack == (line(4, "step"),)
    assert entry.reasons == ("0/0: n == 1",)
    assert [found.gb_id for found in entry.breaks] == ["GB0059"]
    assert entry.caches == ["hit"]
    assert entry.lines == {line(4, "step", text="x = f(x)"): 3}
    assert processes[8].torch == "2.13.0"
    assert processes[8].compiles["0/1"].metrics == Metrics(co_name="step", pytorch_version="2.13.0")


GRAPH = """
        # File: /work/model.py:8 in forward, code: y = self.fc(x)
        y: "bf16[4, 4][4, 1]cuda:0" = torch._C._nn.linear(l_x_, l_weight_, l_bias_);  l_weight_ = l_bias_ = None
        # File: /work/model.py:9 in forward, code: z = y.float() @ x.T
        float_1: "f32[4, 4][4, 1]cuda:0" = y.float();  y = None
        z: "f32[4, 4][4, 1]cuda:0" = float_1 @ getattr_1;  float_1 = getattr_1 = None
        w: "f32[4, s7][s7, 1]cpu" = torch.functional.einsum('ij,jk->ik', z, z);  z = None
        mean: "f32[4, 4][4, 1]cpu" = w.mean();  matmul = mm = None
"""
GUARDS = """
| | +- LENGTH_CHECK: len(L['self'].taps) == 2            # return x * sum(self.taps)  # work/model.py:9 in forward
| | | +- EQUALS_MATCH: L['self'].taps[0] == 1.0          # return x * sum(self.taps)  # work/model.py:9 in forward
| | +- TYPE_MATCH: ___check_type_id(L['self'], 1)        # y = self.fc(x)  # work/model.py:8 in forward (HINT: type)
| | +- GLOBAL_STATE: ___check_global_state()
"""
TUNED = """{
"name": "mm_template_autotuning",
"args": {"compile_id": "0/0"},
"ph": "B"
}"""


def test_matmuls_guards_and_autotuning_of_a_compile(tmp_path: Path) -> None:
    ids = IDS.format(0)
    (tmp_path / "dedicated_log_torch_trace_ab.log").write_text(
        record('{"dynamo_output_graph": {}, ' + ids + "}", GRAPH)
        + record('{"dynamo_cpp_guards_str": {}, ' + ids + "}", GUARDS)
        + record('{"chromium_event": {}, ' + ids + "}", TUNED)
        + record('{"chromium_event": {}, ' + ids + "}", TUNED.replace('"B"', '"E"'))
        + record('{"chromium_event": {}, ' + ids + "}", TUNED.replace("mm_template_autotuning", "GraphLowering.run"))
        + record('{"bwd_compilation_metrics_runtime": {"runtime_triton_autotune_time_us": 2000000}, ' + ids + "}")
    )
    entry = read_traces(tmp_path, Unread())[0].compiles["0/0"]
    eight = line(8, "forward", "/work/model.py", "y = self.fc(x)")
    nine = line(9, "forward", "/work/model.py", "z = y.float() @ x.T")
    assert entry.matmuls == [Matmul("bf16", "cuda", eight), Matmul("f32", "cuda", nine), Matmul("f32", "cpu", nine)]
    assert entry.guards == {("work/model.py", 9): 2, ("work/model.py", 8): 1}
    assert entry.autotuned == 1
    assert entry.runtime == [RuntimeMetrics(runtime_triton_autotune_time_us=2000000)]


CODE = """\
    # Topologically Sorted Source Nodes: [mul, tensor], Original ATen: [aten.mul, _c10d_functional.all_reduce]
    torch.ops._c10d_functional.all_reduce_.default(buf0, 'sum', '0')
    torch.ops._c10d_functional.wait_tensor.default(buf0)
    buf3 = torch.ops._c10d_functional.all_gather_into_tensor.default(arg0_1, 2, 'tp')
    assert_size_stride(buf3, (8, ), (1, ), 'torch.ops._c10d_functional.all_gather_into_tensor.default')
    torch.ops._c10d_functional.wait_tensor.default(buf3)
"""


@pytest.mark.parametrize("listings", [False, True])
def test_collectives_of_each_generated_code_are_in_order_with_their_groups(tmp_path: Path, listings: bool) -> None:
    code = '{"inductor_output_code": {"filename": "/tmp/c.py"}, ' + IDS.format(0) + ', "has_payload": "0"}'
    texts = record(code, CODE) + record(code, "no_collective()")
    (tmp_path / "dedicated_log_torch_trace_ab.log").write_text(texts)
    entry = read_traces(tmp_path, Unread(), listings)[0].compiles["0/0"]
    assert entry.collectives == [(("all_reduce", "0"), ("all_gather_into_tensor", "tp")), ()]


def test_each_kind_that_this_torch_writes_is_known() -> None:
    written: set[str] = set()
    for path in Path(torch.__file__).parent.rglob("*.py"):
        written |= set(re.findall(r'trace_structured\(\s*(?:name=)?"(\w+)"', path.read_text(encoding="utf-8")))
    assert len(written) > 30
    assert {kind for kind in written if kind not in KINDS and not UNREAD.fullmatch(kind)} == set()


def test_each_metric_of_this_torch_is_known() -> None:
    names = {field.name for field in dataclasses.fields(CompilationMetrics)}
    read = set(Metrics.__struct_fields__)
    assert read <= names
    assert {name for name in names - read if not Metrics.UNREAD.fullmatch(name)} == set()


def test_why_autograds_cache_is_bypassed_has_no_address(tmp_path: Path) -> None:
    artifact = (
        '{"artifact": {"name": "aotautograd_cache_bypass", "encoding": "json"}, '
        + IDS.format(0)
        + ', "has_payload": "ab"}'
    )
    payload = '\t{"cache_bypass_reason": "Unsupported call_function target <function f at 0x7ff646c0c360>. \\n more"}\n'
    (tmp_path / "dedicated_log_torch_trace_ab.log").write_text(record(artifact) + payload)
    (process,) = read_traces(tmp_path, Unread())
    assert [item.bypass for item in process.compiles.values()] == ["Unsupported call_function target <function f>."]
