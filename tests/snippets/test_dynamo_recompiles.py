"""What docs/dynamo/recompiles.md, and docs/fix of its snippets, states and the snippets don't assert."""

from types import SimpleNamespace

import pytest
import torch
from torch._dynamo.testing import CompileCounterWithBackend
from torch.optim.lr_scheduler import LambdaLR, ReduceLROnPlateau

from compile_lessons import keep_graphs


def test_the_log_names_the_failed_guard(record):
    text = record("dynamo/recompiles/why.py").text
    assert "0/0: tensor 'x' size mismatch at index 0. expected 32, actual 20" in text
    assert text.count("self.training == True") == 2
    assert text.count("Recompiling function forward") == 2


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "options", "graphs"),
    [
        *((name, {}, 5) for name in ("RMSprop", "Adadelta")),
        *((name, {"foreach": True}, 5) for name in ("AdamW", "NAdam", "RAdam")),
        *((name, {}, 2) for name in ("AdamW", "NAdam", "RAdam", "Adagrad")),
    ],
)
def test_a_float_learning_rate_that_changes_five_times(name, options, graphs):
    model = torch.nn.Linear(4, 4)
    model(torch.ones(1, 4)).sum().backward()
    optimizer = getattr(torch.optim, name)(model.parameters(), lr=0.01, **options)
    assert _graphs_of_five_steps(optimizer) == graphs
    if not (options and name == "AdamW"):  # it would need capturable=True
        for group in optimizer.param_groups:
            group["lr"] = torch.tensor(0.01)
        assert _graphs_of_five_steps(optimizer) == 1


def _graphs_of_five_steps(optimizer):
    return _graphs_after_each_step(optimizer, 5)[-1]


def _graphs_after_each_step(optimizer, steps):
    torch.compiler.reset()
    kept = keep_graphs("aot_eager")
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    step = torch.compile(optimizer.step, backend=kept)
    counts = []
    for _ in range(steps):
        step()
        scheduler.step()
        counts.append(len(kept.graphs))
    return counts


@pytest.mark.parametrize(
    ("optimizer", "counts"),
    [
        (torch.optim.Adam, [1, 2, 2, 2, 2, 2, 2, 2, 2, 2]),
        (torch.optim.SGD, [1, 2, 3, 4, 5, 6, 7, 8, 8, 8]),
    ],
)
def test_adam_recompiles_in_the_second_step_and_sgd_in_each(optimizer, counts):
    model = torch.nn.Linear(4, 4)
    model(torch.ones(1, 4)).sum().backward()
    assert _graphs_after_each_step(optimizer(model.parameters(), lr=0.01), 10) == counts


#: Where a number is kept, for functions that read it there.
model = torch.nn.Module()
model.config = SimpleNamespace()
table: dict[str, int] = {}
numbers = [0]
number = 0
ratio = 0.0


class Config:
    n = 0


class Scaler:
    n = 0

    def scale(self, x):
        return x * self.n


scaler = Scaler()


def put_everywhere(n):
    """Write ``n`` to each place; a compiled function is guarded only on the place that it reads."""
    global number, ratio
    number, ratio = n, n + 0.5
    model.n, model.config.n, model.f, model.t = n, n, n + 0.5, torch.tensor(n)
    table["n"] = numbers[0] = Config.n = scaler.n = n


def count_compiles(function, arguments=lambda n: (torch.ones(4),), setting=False):
    """Count the graphs of ten calls, each with another number."""
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(function, backend=kept)
    with torch.compiler.config.patch(allow_unspec_int_on_nn_module=setting):
        for n in range(2, 12):
            put_everywhere(n)
            torch.testing.assert_close(compiled(*arguments(n)), function(*arguments(n)))
    return len(kept.graphs)


x = torch.ones(4)


@pytest.mark.parametrize("setting", [False, True])
@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        pytest.param(lambda x: x * 2, lambda n: (torch.ones(n),), id="size of a tensor"),
        pytest.param(lambda x, n: x * n, lambda n: (x, n), id="argument"),
        pytest.param(lambda x, o: x * o.n, lambda n: (x, SimpleNamespace(n=n)), id="inside an argument"),
        pytest.param(lambda x, m: x * m.f, lambda n: (x, model), id="float on a module"),
        pytest.param(lambda x: x * ratio, lambda n: (x,), id="global float"),
        pytest.param(scaler.scale, lambda n: (x,), id="attribute of an object whose method is compiled"),
    ],
)
def test_two_versions_serve_a_number_that_becomes_a_symbol(function, arguments, setting):
    assert count_compiles(function, arguments, setting) == 2


@pytest.mark.parametrize("setting", [False, True])
def test_one_version_serves_a_tensor(setting):
    assert count_compiles(lambda x, m: x * m.t, lambda n: (x, model), setting) == 1


@pytest.mark.parametrize(("setting", "compiles"), [(False, 8), (True, 2)])
@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x, m: x * m.n, id="int on a module"),
        pytest.param(lambda x, m: x * m.config.n, id="int on its config"),
    ],
)
def test_the_setting_helps_an_int_on_a_module(function, setting, compiles):
    assert count_compiles(function, lambda n: (x, model), setting) == compiles


@pytest.mark.parametrize("setting", [False, True])
@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x: x * model.n, id="int on a global module"),
        pytest.param(lambda x: x * number, id="global int"),
        pytest.param(lambda x: x * table["n"], id="item of a global dict"),
        pytest.param(lambda x: x * Config.n, id="attribute of a class"),
        pytest.param(lambda x: x * numbers[0], id="item of a global list"),
    ],
)
def test_the_setting_does_not_help_an_int_in_a_global(function, setting):
    assert count_compiles(function, setting=setting) == 8


def test_two_versions_serve_a_closure_variable():
    n = 1

    def scale(x):
        return x * n

    kept = keep_graphs()
    compiled = torch.compile(scale, backend=kept)
    for n in range(2, 12):  # noqa: B007 (what scale reads)
        compiled(x)
    assert len(kept.graphs) == 2


history: list[int] = []


def collect(x):
    history.append(1)
    return x * 2


@pytest.mark.parametrize(("clears", "setting", "compiles"), [(False, False, 8), (False, True, 8), (True, False, 1)])
def test_a_list_that_grows_recompiles_until_it_is_cleared(clears, setting, compiles):
    history.clear()
    kept = keep_graphs()
    compiled = torch.compile(collect, backend=kept)
    with torch.compiler.config.patch(allow_unspec_int_on_nn_module=setting):
        for _ in range(10):
            compiled(x)
            if clears:
                history.clear()
    assert len(kept.graphs) == compiles


@pytest.mark.parametrize(
    ("make", "versions"),
    [
        pytest.param(lambda weights, rate: torch.optim.SGD(weights, rate, momentum=0.9), 2, id="momentum"),
        pytest.param(lambda weights, rate: torch.optim.SGD(weights, rate, fused=True), 0, id="fused SGD"),
        pytest.param(lambda weights, rate: torch.optim.AdamW(weights, rate, fused=True), 0, id="fused AdamW"),
        pytest.param(lambda weights, rate: torch.optim.Adafactor(weights, rate), 0, id="Adafactor"),
    ],
)
def test_versions_with_a_tensor_as_the_learning_rate(make, versions):
    weight = torch.ones(4, requires_grad=True)
    weight.grad = torch.ones(4)
    optimizer = make([weight], torch.tensor(0.01))
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    counter = CompileCounterWithBackend("aot_eager")
    step = torch.compile(optimizer.step, backend=counter)
    for _ in range(4):
        step()
        scheduler.step()
    assert counter.frame_count == versions


def rates_of_two_groups(make_scheduler, tensor_of):
    """Return the rates after two steps: a float in both groups, one tensor for both, or a tensor for each."""
    groups = [{"params": [torch.nn.Parameter(torch.ones(2))]} for _ in range(2)]
    optimizer = torch.optim.SGD(groups, lr=torch.tensor(0.01) if tensor_of == "both" else 0.01)
    if tensor_of == "each":
        for group in optimizer.param_groups:
            group["lr"] = torch.tensor(group["lr"])
    scheduler = make_scheduler(optimizer)
    for _ in range(2):
        optimizer.step()
        scheduler.step(*([1.0] if isinstance(scheduler, ReduceLROnPlateau) else []))
    return [pytest.approx(float(group["lr"])) for group in optimizer.param_groups]


@pytest.mark.parametrize(
    "make_scheduler",
    [
        lambda optimizer: LambdaLR(optimizer, [lambda step: 1.0, lambda step: 0.5**step]),
        lambda optimizer: ReduceLROnPlateau(optimizer, patience=0),
    ],
    ids=["a function for each group", "on a plateau"],
)
def test_parameter_groups_must_not_share_a_tensor_as_learning_rate(make_scheduler):
    expected = [rate.expected for rate in rates_of_two_groups(make_scheduler, "neither")]
    assert expected == rates_of_two_groups(make_scheduler, "each")
    assert expected != rates_of_two_groups(make_scheduler, "both")
