"""Facts of docs/dynamo/fixing-breaks.md, and of its programs on docs/fix/breaks.md, that the snippets don't assert."""

import logging

import pytest
import torch

from compile_lessons import count_breaks
from training import assert_trains_like_eager

HERE = "dynamo/fixing_breaks/"


def test_an_operator_prints_before_the_mutation(record):
    assert "y is tensor([2., 2., 2.])\nresult: tensor([102." in record(HERE + "hop_print.py").text


def test_ignored_logger_is_silent(record):
    assert record(HERE + "ignore_logging.py").text.count("halfway") == 1


def test_breaks_are_errors_in_one_part(record):
    snippet = record(HERE + "error_on.py")
    assert "a break, allowed" in snippet.text
    assert "a break, not allowed" not in snippet.text.split("Traceback")[0]


def test_fullgraph_is_stronger_than_error_on_graph_break():
    def function(x):
        with torch._dynamo.error_on_graph_break(False):
            print(end="")
        return x + 1

    with pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(function, backend="eager", fullgraph=True)(torch.ones(3))


def test_a_logger_is_not_reordered():
    log = logging.getLogger("course")

    def function(x):
        log.debug("halfway")
        return x + 1

    reorder = torch._dynamo.config.patch(reorderable_logging_functions={logging.Logger.debug})
    with reorder, pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(function, backend="eager", fullgraph=True)(torch.ones(3))


def test_a_reordered_print_loses_its_keywords(capfd):
    def function(x):
        print("a", end="|")
        return x + 1

    with torch._dynamo.config.patch(reorderable_logging_functions={print}):
        torch.compile(function, backend="eager", fullgraph=True)(torch.ones(3))
    assert capfd.readouterr().out == "a\n"


@pytest.mark.parametrize(
    ("arguments", "breaks"),
    [
        ("'y', y, y.dtype, y.shape[0], 2.5", 0),
        ("f'{y.shape}'", 0),
        ("'y', y.shape", 1),
        ("[y]", 1),
    ],
)
def test_a_reordered_print_takes_tensors_dtypes_numbers_and_text(arguments, breaks, capfd):
    names = {}
    exec(f"def step(x):\n    y = x + 1\n    print({arguments})\n    return y * 2", names)
    with torch._dynamo.config.patch(reorderable_logging_functions={print}):
        assert count_breaks(names["step"])(torch.ones(3)) == breaks


def test_an_unused_custom_operator_is_removed():
    calls = []

    @torch.library.custom_op("course_test::unused", mutates_args=())
    def unused(x: torch.Tensor) -> torch.Tensor:
        calls.append(1)
        return x.clone()

    unused.register_fake(torch.empty_like)

    def function(x):
        unused(x)
        return x * 2

    torch.compile(function, backend="aot_eager", fullgraph=True)(torch.ones(3))
    assert calls == []


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_a_reordered_print_shows_a_later_value_unless_it_prints_a_copy(backend, capfd):
    def reports(x):
        y = torch.relu(x) + 1
        print("y is", y)
        y.add_(100)
        return y

    def reports_a_copy(x):
        y = torch.relu(x) + 1
        print("y is", y.clone())
        y.add_(100)
        return y

    def printed(function):
        function(torch.ones(3))
        return capfd.readouterr().out

    with torch._dynamo.config.patch(reorderable_logging_functions={print}):
        assert "102" not in printed(reports)
        assert "102" in printed(torch.compile(reports, backend=backend))
        assert "102" not in printed(torch.compile(reports_a_copy, backend=backend))


def test_where_differs_from_sorted_where_the_condition_is_exactly_equal():
    x = torch.tensor([0.0, 1.0])
    assert not torch.equal(torch.where(x[0] < 0, -x, x), sorted([x, -x], key=lambda t: t[0])[1])


@torch.library.custom_op("fixing_breaks::double_into", mutates_args={"result"})
def double_into(x: torch.Tensor, result: torch.Tensor) -> None:
    result.copy_(x * 2)


@pytest.mark.parametrize("backend", [None, "aot_eager"])
def test_a_gradient_ignores_what_an_operator_writes_into_an_argument(backend):
    def square_of_double(x):
        result = x + 0
        double_into(x, result)
        return result * result

    x = torch.ones(3, requires_grad=True)
    function = torch.compile(square_of_double, backend=backend, fullgraph=True) if backend else square_of_double
    function(x).sum().backward()
    assert x.grad.tolist() == [4.0] * 3  # 8 would be right
    with pytest.raises(RuntimeError, match="non-functional operator"):
        double_into.register_autograd(lambda ctx: None)


class Head(torch.nn.Module):
    """Has each remedy beside the code that breaks the graph."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        y = self.linear(x)
        roots = torch.stack([value.sqrt() if value > 0 else value * 0 for value in y.flatten()])
        if y.sum() < 0:
            y = -y
        return roots, y * y, torch.stack(sorted(y[0])) * 2

    def in_one_graph(self, x):
        y = self.linear(x)
        positive = torch.where(y > 0, y, 1.0)
        roots = torch.where(y > 0, torch.sqrt(positive), 0.0).flatten()
        y = torch.where(y.sum() < 0, -y, y)
        return roots, y * y, torch.sort(y[0]).values * 2


def test_where_and_sort_train_like_the_code_that_they_replace():
    batches = [(torch.randn(rows, 4),) for rows in (2, 3, 5)]
    assert_trains_like_eager(
        Head, batches, lambda model: torch.compile(model.in_one_graph, backend="aot_eager", fullgraph=True)
    )
