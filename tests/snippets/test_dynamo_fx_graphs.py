"""The facts of docs/dynamo/fx-graphs.md."""

import importlib
import inspect
import operator

import pytest


def test_a_graph_as_code_and_as_a_table(record):
    found = record("dynamo/fx_graphs/read.py")
    assert (found.values["node_count"], found.values["calls"]) == (9, 6)
    assert 'matmul: "f32[4, 4]" = l_x_ @ l_w_' in found.text


def test_the_figure_has_the_arrows_of_the_graph(record):
    assert record("dynamo/fx_graphs/figure.py").values["arrows"] == 9


def test_modules_are_not_called(record):
    values = record("dynamo/fx_graphs/opcodes.py").values
    assert (values["inputs"], values["module_calls"]) == (4, 0)


def test_meta_names_the_line(record):
    assert "self.linear(x)" in record("dynamo/fx_graphs/meta.py").text


def test_a_loop_executes_the_graph(record):
    assert record("dynamo/fx_graphs/execute.py").values["same"] is True


def test_aten_appears_after_dynamo(record):
    text = record("dynamo/fx_graphs/levels.py").text
    assert "aten.native_layer_norm.default" in text


def test_only_a_recompiled_module_changes(record):
    looked_at, not_looked_at = record("dynamo/fx_graphs/stale.py").text.split("without it")
    assert "after:  relu = torch.relu(l_x_)" in looked_at
    assert "after:  relu = torch.sigmoid(l_x_)" in not_looked_at
    assert "after:  relu = torch.sigmoid(l_x_)" in record("dynamo/fx_graphs/recompiled.py").text


@pytest.mark.parametrize(
    "module, name",
    [
        ("fx.node", "Node.users"),
        ("fx.node", "map_arg"),
        ("fx.graph", "Graph.lint"),
        ("fx.graph_module", "GraphModule.recompile"),
        ("fx.graph_module", "GraphModule.print_readable"),
        ("fx._lazy_graph_module", "_LazyGraphModule"),
        ("fx.interpreter", "Interpreter"),
        ("_dynamo.output_graph", "OutputGraph.call_user_compiler"),
    ],
)
def test_symbols_named_on_the_page_exist(module, name):
    assert operator.attrgetter(name)(importlib.import_module(f"torch.{module}"))


def test_print_tabular_needs_tabulate():
    from torch.fx.graph import Graph

    assert "import tabulate" in inspect.getsource(Graph.print_tabular) or "from tabulate" in inspect.getsource(
        Graph.print_tabular
    )
