"""The facts of docs/dynamo/tracing.md."""

import importlib
import operator

import pytest


def test_python_is_carried_out_and_calls_are_inlined(record):
    text = record("dynamo/tracing/steps.py").text
    for part in (
        "ConstantVariable(int: 6)",
        "ConstantVariable(int: 7)",
        "LazyVariableTracker(unrealized: <class 'int'>)",
    ):
        assert part in text
    assert text.count("TRACE RESUME 0 []") >= 2  # the function and the inlined one


def test_stand_ins_of_the_local_variables(record):
    text = record("dynamo/tracing/values.py").text
    for part in (
        "nodes: l_x_ sum_1 y add_1 mul add_2 output",
        "TensorVariable",
        "ConstDictVariable",
        "ListVariable",
        "NestedUserFunctionVariable",
        "FakeTensor",
    ):
        assert part in text


def test_lines_are_not_nodes(record):
    assert record("dynamo/tracing/lines.py").values["node_count"] == 11
    assert record("dynamo/tracing/closures.py").values["different"] == 1


def test_parameters_are_inputs(record):
    values = record("dynamo/tracing/module.py").values
    assert (values["inputs"], values["ops"]) == (5, 6)


def test_a_loop_is_unrolled(record):
    values = record("dynamo/tracing/unrolled.py").values
    assert (values["loop_nodes"], values["one_node"]) == (130, 1)


@pytest.mark.parametrize(
    "module, name",
    [
        ("_dynamo.symbolic_convert", "InstructionTranslatorBase.LOAD_FAST"),
        ("_dynamo.symbolic_convert", "InstructionTranslatorBase.BINARY_SUBSCR"),
        ("_dynamo.symbolic_convert", "InliningInstructionTranslator"),
        ("_dynamo.variables.base", "VariableTracker"),
        ("_dynamo.variables.tensor", "TensorVariable"),
        ("_dynamo.variables.constant", "ConstantVariable"),
        ("_dynamo.variables.builder", "VariableBuilder"),
        ("_dynamo.output_graph", "OutputGraph"),
        ("_subclasses.fake_tensor", "FakeTensor"),
        ("_dynamo.comptime", "comptime.print_locals"),
        ("_dynamo.comptime", "comptime.print_graph"),
    ],
)
def test_symbols_named_on_the_page_exist(module, name):
    assert operator.attrgetter(name)(importlib.import_module(f"torch.{module}"))
