"""A guard in torch's words leads to what changed and what to do."""

import re
from collections.abc import Iterator

import pytest
import torch

from compile_lessons import capture_calls
from compile_lessons.facts.run import FailedCheck
from compile_lessons.findings.catalogue import Cause, catalogue
from compile_lessons.findings.guards import most_telling, patterns_for_scripts, read_guard


@pytest.mark.parametrize("cause", catalogue().guards, ids=lambda cause: cause.name)
def test_the_first_row_that_fits_an_example_is_its_own(cause: Cause) -> None:
    guard = read_guard(cause.example)
    assert guard.cause is cause
    assert "{" not in guard.what + guard.remedy  # each name in braces is a group of the pattern


def test_a_pasted_guard_is_read_with_what_torch_writes_around_it() -> None:
    log = (
        "V1 torch/_dynamo/guards.py:4733] [0/2] [__recompiles] triggered by the following guard failure(s):\n"
        "- 0/1: self.steps == 3  # self.steps += 1  # src/model.py:8 in forward"
    )
    guard = read_guard(log)
    assert (guard.what, guard.old) == ("the attribute self.steps, a Python number", "3")
    assert (guard.path, guard.line) == ("src/model.py", 8)
    assert next(causes(log)) == guard.cause.name


@pytest.mark.parametrize("words", ["what is a guard", "not faster", "recompiles every step"])
def test_words_are_no_guard_for_the_search(words: str) -> None:
    assert not [*causes(words)]


def causes(pasted: str) -> Iterator[str]:
    """Yield the causes that the search finds in what was pasted, by patterns in JavaScript's form."""
    for pattern, cause in patterns_for_scripts():
        if re.search(re.sub(r"\(\?<(?=[a-z])", "(?P<", pattern), pasted):
            yield cause.name


def test_names_are_as_the_reader_writes_them() -> None:
    guard = read_guard("tensor 'L['self']._modules['fc'].scale' size mismatch at index 1. expected 8, actual 16")
    assert guard.what == "the size of self.fc.scale in dimension 1" and (guard.old, guard.new) == ("8", "16")
    assert guard.remedy.startswith("`torch._dynamo.mark_dynamic(tensor, 1)`")


class Block(torch.nn.Module):
    def __init__(self, key: str) -> None:
        super().__init__()
        self.key, self.steps, self.kept = key, 0, [torch.ones(2)]

    def forward(self, x):
        return x + len(self.key) if self.key == "a" else x - 1

    def count(self, x):
        self.steps += 1
        return x * self.steps

    def keep(self, x):
        self.kept.append(x)
        return sum(self.kept)


class Noise(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seed = 0

    def forward(self, x):
        self.seed += 1
        return x * self.seed


def picks(x, block):
    return block(x)


x = torch.ones(2)
a, b = Block("a"), Block("b")
CALLS = {
    "string": (picks, [(x, a), (x, b)]),
    "attribute": (Block("a").count, [x, x]),
    "length": (Block("a").keep, [x, x]),
    "seed": (Noise(), [x, x]),
    "size": (torch.relu, [x, torch.ones(3)]),
    "rank": (torch.relu, [x, torch.ones(2, 2)]),
    "dtype": (torch.relu, [x, x.double()]),
    "stride": (torch.relu, [torch.ones(2, 2), torch.ones(2, 4)[:, ::2]]),
    "requires_grad": (torch.relu, [x, torch.ones(2, requires_grad=True)]),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_torch_writes_is_in_the_table(name: str) -> None:
    function, calls = CALLS[name]
    result = capture_calls(lambda *args: function(*args), backend="eager")(calls)
    failed = [guard for call in result.calls for guard in call.failed]
    assert failed and read_guard(failed[0]).cause.name == name, failed


@pytest.mark.parametrize(("options", "name"), [({}, "betas"), ({"cycle_momentum": False}, None)])
def test_the_fix_for_a_scheduler_that_writes_betas(options: dict[str, bool], name: str | None) -> None:
    weight = torch.ones(2, requires_grad=True)
    weight.grad = torch.ones(2)
    optimizer = torch.optim.AdamW([weight], lr=torch.tensor(0.1))
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1.0, total_steps=9, **options)

    def step():
        optimizer.step()

    def between():
        result = []
        with torch._dynamo.config.patch(error_on_recompile=True):
            compiled = torch.compile(step, backend="eager")
            for _ in range(3):
                try:
                    compiled()
                except torch._dynamo.exc.RecompileError as error:
                    result.append(read_guard(str(error)).cause.name)
                scheduler.step()
        torch._dynamo.reset()
        return result

    failed = [cause for cause in between() if cause == "betas"]
    assert bool(failed) is (name is not None)


#: Texts of guards as runs have shown them, each above the cause, what changed, and the values.
TEXTS = """
0/7: tensor 'tokens' size mismatch at index 0. expected 9, actual 10
    size: the size of tokens in dimension 0, 9 → 10
0/1: tensor 'self._modules['up']._parameters['weight']' size mismatch at index 1. expected 2, actual 3
    parameter: the size of self.up.weight in dimension 1, 2 → 3
2/0: self.param_groups[0]['betas'][0] == 0.95                 # for group in self.param_groups:
    betas: betas of the optimizer, a Python number that a scheduler writes, 0.95
0/3: self.calls == 3                  # self.calls += 1  # app/model.py:13 in forward
    attribute: the attribute self.calls, a Python number, 3
0/1: self.name == 'block.1'  # return scales[self.name]
    string: the string self.name, 'block.1'
0/2: len(keys) == 2                        # keys.append(token * 2)
    length: the length of keys, 2
0/0: not keys                              # keys.append(token)
    empty: whether keys is empty
0/4: G['step'] == 4                        # return x * 0.5**step
    global: the global variable step, 4
0/1: GLOBAL_STATE changed: grad_mode
    state: torch's global state: grad_mode
0/0: position.item() == 0
    item: the value of position, which the code uses as a Python number, 0
2/1: ___from_numpy(n).item() == 3  # return x * factors[n]
    item: the value of n, which the code uses as a Python number, 3
1/0: ___stack2 == 3  # return x * factors[i.item()]
    computed: a Python value that the function computes before a graph break, 3
0/0: tensor 'x' requires_grad mismatch. expected requires_grad=0
    requires_grad: whether x requires a gradient, 0
0/0: BACKEND_MATCH failure: torch.compile detected different backend callables. Cached backend: f.
    backend: the backend is a new object
0/0: ___check_obj_id(self.adapter, 139872), type=<class 'dict'>
    object: self.adapter is another object
0/1: 2 <= tokens.size()[0]  # return F.embedding(  # nn/modules/sparse.py:189 in forward (
    sizes: the condition 2 <= tokens.size()[0], 2 <= tokens.size()[0]
0/3: len(batch) != 1
    keys: the keys of batch
0/1: list(dict.keys(batch))[0] == 'text'  # for name, value in batch.items():  # fuse.py:14 in forward
    keys: the keys of batch
0/0: CodeGuardAccessor: Not a function on fn.__code__
    other: the check CodeGuardAccessor: Not a function on fn.__code__
"""
PAIRS = re.findall(r"^(\S.*)\n    (.*)$", TEXTS, re.M)


@pytest.mark.parametrize(("text", "words"), PAIRS, ids=[text for text, _ in PAIRS])
def test_cause_of_a_guard(text: str, words: str) -> None:
    guard = read_guard(text)
    values = " → ".join(value for value in (guard.old, guard.new) if value is not None)
    assert ", ".join([f"{guard.cause.name}: {guard.what}", *filter(None, [values])]) == words


def test_the_line_is_the_users_innermost() -> None:
    text = (
        "0/0: self.calls == 0  # self.calls += 1  # app/model.py:13 in forward (_dynamo/guards.py:9 in f)\n"
        'User stack trace:\n  File "/work/app/train.py", line 3, in step\n    model(x)\n'
        '  File "/work/app/model.py", line 13, in forward\n    self.calls += 1\n'
    )
    guard = read_guard(text)
    assert (guard.path, guard.line) == ("/work/app/model.py", 13)
    assert (read_guard(text.partition("\n")[0]).path, guard.line) == ("app/model.py", 13)


def test_the_value_of_the_call_that_failed_goes_first() -> None:
    assert read_guard("0/0: self.calls == 0", "1").new == "1"


def test_sources_read_as_the_program_writes_them() -> None:
    text = "0/0: tensor 'self._modules['fc']._parameters['weight']' size mismatch at index 1. expected 2, actual 3"
    assert read_guard(text).source == "self.fc.weight"
    assert read_guard("0/0: tensor 'kwargs['ids']' size mismatch at index 1. expected 4, actual 1").source == "ids"


@pytest.mark.parametrize(
    ("source", "name"), [("L['args'][1]", "args[1]"), ("self._modules['fc'].cache", "self.fc.cache")]
)
def test_a_remedy_names_what_the_caller_can_write(source: str, name: str) -> None:
    guard = read_guard(f"0/0: tensor '{source}' size mismatch at index 0. expected 2, actual 3")
    code = (
        "`torch._dynamo.mark_dynamic(tensor, 0)` before the first call, and the same for each other input of this size"
    )
    assert guard.remedy == f"{code}, where `tensor` is what the function calls `{name}`"
    plain = read_guard("0/0: tensor 'L['x']' size mismatch at index 0. expected 2, actual 3")
    assert plain.remedy == code.replace("tensor", "x")


def test_the_size_of_a_parameter_that_is_an_argument_stays_static() -> None:
    """``mark_dynamic`` raises for it. The text has only its name; the collector looks at the argument."""
    text = "0/0: tensor 'weight' size mismatch at index 0. expected 3, actual 4"
    assert "mark_dynamic" in read_guard(text).remedy
    found = most_telling([FailedCheck(text, parameter=True)])
    assert (found.cause.name, found.what) == ("parameter", "the size of weight in dimension 0")
    assert "force_parameter_static_shapes" in found.remedy and "mark_dynamic" not in found.remedy
