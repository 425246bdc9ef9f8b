"""The facts of docs/dynamo/frame-evaluation.md."""

import importlib
import inspect
from pathlib import Path

import pytest
import torch


def test_frames_are_translated_at_the_first_call(record):
    lines = record("dynamo/frame_evaluation/frames.py").text.splitlines()
    assert [line.split(":")[1].strip() for line in lines] == ["[]", "['step']", "['step']", "[]", "['step']"]


def test_new_bytecode_calls_the_graph_and_replays_the_append(record):
    text = record("dynamo/frame_evaluation/bytecode.py").text
    assert text.startswith("BEFORE") and "__compiled_fn_1" in text and "STORE_SUBSCR" in text


def test_versions_hang_off_the_code_object(record):
    values = record("dynamo/frame_evaluation/cache.py").values
    assert (values["after_triple"], values["after_another"], values["after_backend"]) == (2, 2, 3)
    assert record("dynamo/frame_evaluation/modules.py").values["versions"] == 1


def test_a_break_makes_two_frames_and_two_graphs(record):
    found = record("dynamo/frame_evaluation/break_frames.py")
    assert (found.values["frames"], found.values["graphs"]) == (2, 2)
    assert "torch_dynamo_resume_in_step_at_14" in found.text


def test_only_the_compiled_object_compiles(record):
    assert record("dynamo/frame_evaluation/lost.py").values["graph_count"] == 0
    values = record("dynamo/frame_evaluation/kept.py").values
    assert (values["kept"], values["own_class"]) == (1, 1)
    if torch.__version__ < "2.14":
        assert values["torch_class"] == 0


@pytest.mark.parametrize(
    "module, names",
    {
        "torch._dynamo.eval_frame": ["_TorchDynamoContext", "_debug_get_cache_entry_list"],
        "torch._dynamo.convert_frame": ["ConvertFrame", "register_bytecode_hook"],
        "torch._dynamo.codegen": ["PyCodegen"],
        "torch._dynamo.side_effects": ["SideEffects"],
        "torch._dynamo.resume_execution": ["ContinueExecutionCache"],
    }.items(),
)
def test_symbols_named_on_the_page_exist(module, names):
    found = importlib.import_module(module)
    assert [name for name in names if not hasattr(found, name)] == []


def test_compile_wrapper_and_stub_exist():
    from torch._dynamo.eval_frame import _TorchDynamoContext

    assert "def compile_wrapper" in inspect.getsource(_TorchDynamoContext)
    stub = Path(torch.__file__).parent / "_C/_dynamo/eval_frame.pyi"
    assert "def set_eval_frame" in stub.read_text()
