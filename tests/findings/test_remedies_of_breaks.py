"""Each remedy of the catalogue's graph breaks, applied as printed: no break is left, and training matches eager mode.

PYTEST_DONT_REWRITE: a rewritten ``assert`` breaks the graph in another way than the ``assert`` of a model.
"""

import contextlib
import copy
import functools
import logging
import zlib
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import networkx
import pytest
import torch
from torch import nn
from torch.nn.functional import mse_loss

from compile_lessons import capture, keep_graphs
from compile_lessons.findings.catalogue import catalogue, explain_break
from training import assert_trains_like_eager

log = logging.getLogger("course")
#: The size changes, so the second step has a dynamic size.
BATCHES = [(torch.linspace(-2, 3, 4 * size).view(size, 4),) for size in (3, 5)]


class Net(nn.Module):
    """``forward`` breaks the graph by ``id``. ``caller`` does the same with the remedy, by ``compiled(function)``."""

    id: ClassVar[str]
    fullgraph = True
    graphs = 1

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.head = nn.Linear(4, 4)

    def what_breaks(self, x: torch.Tensor) -> tuple[Callable[..., Any], Any]:
        """Return a function that breaks the graph, and its arguments."""
        return self, (x,)

    def caller(self, compiled: Callable[..., Any], x: torch.Tensor) -> Any:
        return compiled(self.body)(x)

    def whole(self, compiled: Callable[..., Any], x: torch.Tensor) -> Any:
        return compiled(self.forward)(x)

    def body(self, x):
        return self.head(self.layer(x).relu())

    def scaled(self, x, factor):
        return self.body(x) * factor


class Generator(Net):
    id = "GB0003"

    def stream(self, x) -> Iterator[torch.Tensor]:
        for _ in range(3):
            x = self.body(x)
            yield x

    def what_breaks(self, x):
        return self.stream, (x,)

    def forward(self, x):
        return list(self.stream(x))

    def caller(self, compiled, x):
        step = compiled(self.body)
        outputs = []
        for _ in range(3):
            x = step(x)
            outputs.append(x)
        return outputs


class Checksum(Net):
    id = "GB0007"

    def forward(self, x):
        h = self.layer(x).relu()
        scale = zlib.crc32(b"abc") % 7
        return self.head(h) * scale

    def caller(self, compiled, x):
        return compiled(self.scaled)(x, zlib.crc32(b"abc") % 7)


def from_c(h: torch.Tensor) -> torch.Tensor:
    return h * (zlib.crc32(b"abc") % 7)


scale_in_c = torch.library.custom_op("course_test::scale_in_c", from_c, mutates_args=())
scale_in_c.register_fake(torch.empty_like)
scale_in_c.register_autograd(lambda ctx, grad: scale_in_c(grad))


class ChecksumInAnOperator(Net):
    id = "GB0007"

    def forward(self, x):
        return self.head(from_c(self.layer(x).relu()))

    def body(self, x):
        return self.head(scale_in_c(self.layer(x).relu()))


class Library(Net):
    id = "GB0008"

    def forward(self, x):
        h = self.layer(x).relu()
        return self.head(h) * networkx.path_graph(3).number_of_nodes()

    def caller(self, compiled, x):
        return compiled(self.scaled)(x, networkx.path_graph(3).number_of_nodes())


class WithLSTM(Net):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(4, 4)

    def forward(self, x):
        h, _ = self.lstm(self.layer(x))
        return self.head(h).sigmoid()

    @torch.compiler.disable
    def recur(self, h):
        return self.lstm(h)[0]


class LSTMInADisabledMethod(WithLSTM):
    id = "GB0014"
    fullgraph = False
    graphs = 2

    def body(self, x):
        return self.head(self.recur(self.layer(x))).sigmoid()


class LSTMAtTheStart(WithLSTM):
    id = "GB0014"
    fullgraph = False

    def forward(self, x):
        h, _ = self.lstm(x)
        return self.head(h).sigmoid()

    def body(self, x):
        return self.head(self.recur(x)).sigmoid()


class Equal(Net):
    id = "GB0033"

    def forward(self, x):
        return self.body(x) * (1 + torch.equal(x, x.abs()))

    def caller(self, compiled, x):
        return compiled(self.with_a_tensor)(x)

    def with_a_tensor(self, x):
        return self.body(x) * (1 + (x == x.abs()).all().int())


class TensorAsANumber(Net):
    id = "GB0033"

    def forward(self, x):
        return self.body(x).topk((x > 0).any().long() + 1).values

    caller = Net.whole


class CaughtAssertion(Net):
    id = "GB0034"

    def forward(self, x):
        h = self.layer(x)
        try:
            assert len(x) == 5, "wrong size"
        except AssertionError:
            h = h * 2
        return self.head(h)

    def body(self, x):
        h = self.layer(x)
        if len(x) != 5:
            h = h * 2
        return self.head(h)


class CaughtAssertionWithANumber(CaughtAssertion):
    id = "GB0171"

    def forward(self, x):
        h = self.layer(x)
        try:
            assert len(x) == 5, ("wrong size", len(x))
        except AssertionError:
            h = h * 2
        return self.head(h)


class Mask(Net):
    id = "GB0036"

    def forward(self, x):
        h = self.body(x)
        return h[x > 0].mean() + h[(x[:, 0] < 0).nonzero()[:, 0]].sum(0)

    caller = Net.whole


class Print(Net):
    id = "GB0059 print"

    def forward(self, x):
        h = self.layer(x).relu()
        print(h.mean())
        return self.head(h)

    def caller(self, compiled, x):
        y, mean = compiled(self.with_mean)(x)
        print(mean)
        return y

    def with_mean(self, x):
        h = self.layer(x).relu()
        return self.head(h), h.mean().detach()


class File(Net):
    id = "GB0059"

    def forward(self, x):
        h = self.layer(x).relu()
        with open(__file__) as file:
            return self.head(h) * len(file.readline())

    def caller(self, compiled, x):
        with open(__file__) as file:
            return compiled(self.scaled)(x, len(file.readline()))


@contextlib.contextmanager
def scope():
    yield


class PrintInAContext(Net):
    id = "GB0066"

    def forward(self, x):
        with scope():
            h = self.layer(x).relu()
            print(len(x))
            return self.head(h)

    def caller(self, compiled, x):
        print(len(x))
        return compiled(self.in_scope)(x)

    def in_scope(self, x):
        with scope():
            return self.body(x)


class ExitStack(Net):
    id = "GB0066"

    def forward(self, x):
        with contextlib.ExitStack() as stack:
            stack.enter_context(torch.enable_grad())
            return self.body(x)

    def caller(self, compiled, x):
        with contextlib.ExitStack() as stack:
            stack.enter_context(torch.enable_grad())
            return compiled(self.body)(x)


class Backward(Net):
    id = "GB0123"

    def forward(self, x):
        self.loss(x).backward()
        return self.body(x)

    def loss(self, x):
        return mse_loss(self.body(x), x)

    def caller(self, compiled, x):
        compiled(self.loss)(x).backward()
        return compiled(self.body)(x)


class Item(Net):
    id = "GB0124"

    def forward(self, x):
        h = self.layer(x).relu()
        return self.head(h), h.mean().item()

    def caller(self, compiled, x):
        y, mean = compiled(self.with_mean)(x)
        return y, mean.item()

    with_mean = Print.with_mean


class ItemInArithmetic(Net):
    id = "GB0124"

    def forward(self, x):
        return self.body(x) * x.mean().item()

    caller = Net.whole


class SavedOnTheCPU(Net):
    id = "GB0142"

    def forward(self, x):
        with torch.autograd.graph.save_on_cpu():
            return self.body(x)

    def caller(self, compiled, x):
        with torch.autograd.graph.save_on_cpu():
            return compiled(self.body)(x)


class Device(Net):
    id = "GB0142"

    def forward(self, x):
        with torch.device("cpu"):
            return self.body(x) + torch.arange(4.0)

    def caller(self, compiled, x):
        with torch.device("cpu"):
            return compiled(self.with_positions)(x)

    def with_positions(self, x):
        return self.body(x) + torch.arange(4.0)


class Branch(Net):
    id = "GB0170"

    def forward(self, x):
        h = self.layer(x)
        if h.sum() > 0:
            h = h * 2
        return self.head(h)

    def body(self, x):
        h = self.layer(x)
        return self.head(torch.where(h.sum() > 0, h * 2, h))


class BranchInTheCaller(Branch):
    def caller(self, compiled, x):
        h = compiled(self.layer.forward)(x)
        if h.sum() > 0:
            h = h * 2
        return compiled(self.head.forward)(h)


class Assertion(Net):
    id = "GB0170"

    def forward(self, x):
        h = self.layer(x).relu()
        assert not h.isnan().any(), f"a nan in {len(x)} rows"
        return self.head(h)

    def body(self, x):
        h = self.layer(x).relu()
        assert (~h.isnan()).all(), "a nan"
        return self.head(h)


class Sort(Net):
    id = "GB0207"

    def forward(self, x):
        first, second, *_ = self.body(x).unbind()
        return torch.stack(sorted([first, second], key=lambda row: row[0]))

    def caller(self, compiled, x):
        return compiled(self.sorted_by_torch)(x)

    def sorted_by_torch(self, x):
        rows = self.body(x)[:2]
        return rows[rows[:, 0].argsort()]


class SortInTheCaller(Sort):
    def caller(self, compiled, x):
        return torch.stack(sorted(compiled(self.body)(x)[:2], key=lambda row: row[0]))


def rates() -> Iterator[float]:
    yield 0.5
    yield 2.0


class PassedGenerator(Net):
    id = "GB0253"

    def what_breaks(self, x):
        return self.drawn, (x, rates())

    def drawn(self, x, numbers):
        return self.body(x) * numbers.send(None) * numbers.send(None)

    def forward(self, x):
        return self.drawn(x, rates())

    def caller(self, compiled, x):
        return compiled(self.scaled_by_list)(x, list(rates()))

    def scaled_by_list(self, x, numbers):
        return self.body(x) * numbers[0] * numbers[1]


class RedirectedOutput(Net):
    id = "GB0262"

    def forward(self, x):
        with contextlib.redirect_stdout(None):
            return self.body(x)

    def caller(self, compiled, x):
        with contextlib.redirect_stdout(None):
            return compiled(self.body)(x)


class Logger(Net):
    id = "GB0291"

    def forward(self, x):
        h = self.layer(x).relu()
        log.debug("mean %s", h.mean())
        return self.head(h)

    def caller(self, compiled, x):
        with torch._dynamo.config.patch(ignore_logging_functions={log.debug}):
            return compiled(self.forward)(x)


class Copied(Net):
    id = "GB4198"

    def forward(self, x):
        start = copy.deepcopy(x)
        anchor = copy.deepcopy(self.layer.weight)
        return self.body(x) + start @ anchor

    def caller(self, compiled, x):
        return compiled(self.cloned)(x)

    def cloned(self, x):
        start = x.detach().clone()
        anchor = self.layer.weight.detach().clone()
        return self.body(x) + start @ anchor


class PrintInALoop(Net):
    id = "GB7000"

    def forward(self, x):
        h = x
        for _ in range(3):
            h = self.layer(h).relu()
            print(h.mean())
        return self.head(h)

    def caller(self, compiled, x):
        y, means = compiled(self.with_means)(x)
        for mean in means:
            print(mean)
        return y

    def with_means(self, x):
        h = x
        means = []
        for _ in range(3):
            h = self.layer(h).relu()
            means.append(h.mean().detach())
        return self.head(h), means


NETS = [each for each in globals().values() if isinstance(each, type) and issubclass(each, Net) and hasattr(each, "id")]


@pytest.mark.parametrize("net", NETS, ids=lambda net: f"{net.id}-{net.__name__}")
def test_a_remedy_leaves_no_break_and_trains_like_eager_mode(net: type[Net]) -> None:
    function, inputs = net().what_breaks(*BATCHES[0])
    breaks = capture(function, until="dynamo")(*inputs).breaks
    assert catalogue().breaks[net.id] in [explain_break(item.gb_id, item.explanation) for item in breaks]
    kept = keep_graphs("aot_eager")
    compiled = functools.partial(torch.compile, backend=kept, fullgraph=net.fullgraph)
    assert_trains_like_eager(net, BATCHES, lambda model: functools.partial(model.caller, compiled))
    assert len(kept.graphs) >= net.graphs


class Cond(Net):
    def forward(self, x):
        h = self.body(x)
        return {"double": h * 2} if x.sum() > 0 else {"double": h.sin()}

    def caller(self, compiled, x):
        return compiled(self.with_cond)(x, "double")

    def with_cond(self, x, name):
        h = self.body(x)
        return torch.cond(x.sum() > 0, lambda h: {"double": h * 2}, lambda h: {name: h.sin()}, (h,))


def test_branches_of_one_structure_train_like_eager_mode() -> None:
    """GB0313, which is an error in eager mode as well."""
    compiled = functools.partial(torch.compile, backend="aot_eager", fullgraph=True)
    with pytest.raises(torch._dynamo.exc.UncapturedHigherOrderOpError, match="differing branch outputs"):
        compiled(Cond().with_cond)(*BATCHES[0], "other")
    assert_trains_like_eager(Cond, BATCHES, lambda model: functools.partial(model.caller, compiled))


def test_each_remedy_is_applied() -> None:
    remedies = {gb_id for gb_id, row in catalogue().breaks.items() if row.remedy}
    assert remedies - {net.id for net in NETS} == {"GB0313"}
