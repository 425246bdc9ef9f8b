"""Torch's texts of guards that failed, as runs have shown them, and the cause, what changed, and the values."""

from __future__ import annotations

import pytest

from compile_lessons.findings.guard_causes import read_guard

TEXTS = {
    "0/7: tensor 'tokens' size mismatch at index 0. expected 9, actual 10": (
        "size",
        "the size of tokens in dimension 0",
        "9",
        "10",
    ),
    "0/1: tensor 'self._modules['up']._parameters['weight']' size mismatch at index 1. expected 2, actual 3": (
        "parameter",
        "the size of self.up.weight in dimension 1",
        "2",
        "3",
    ),
    "2/0: self.param_groups[0]['betas'][0] == 0.95                 # for group in self.param_groups:": (
        "optimizer",
        "betas of the optimizer, a Python number",
        "0.95",
        None,
    ),
    "0/3: self.calls == 3                  # self.calls += 1  # app/model.py:13 in forward": (
        "attribute",
        "the attribute self.calls, a Python number",
        "3",
        None,
    ),
    "0/1: self.name == 'block.1'  # return scales[self.name]": ("string", "the string self.name", "'block.1'", None),
    "0/2: len(keys) == 2                        # keys.append(token * 2)": (
        "length",
        "the length of keys",
        "2",
        None,
    ),
    "0/0: not keys                              # keys.append(token)": ("empty", "whether keys is empty", None, None),
    "0/4: G['step'] == 4                        # return x * 0.5**step": (
        "global",
        "the global variable step",
        "4",
        None,
    ),
    "0/1: GLOBAL_STATE changed: grad_mode ": ("grad_mode", "torch's global state: grad_mode", None, None),
    "0/0: position.item() == 0": (
        "item",
        "the value of position, a tensor that the code uses as a Python number",
        "0",
        None,
    ),
    "0/0: tensor 'x' requires_grad mismatch. expected requires_grad=0": (
        "requires_grad",
        "requires_grad of x",
        "0",
        None,
    ),
    "0/0: BACKEND_MATCH failure: torch.compile detected different backend callables. Cached backend: f.": (
        "backend",
        "the backend is a new object",
        None,
        None,
    ),
    "0/0: ___check_obj_id(self.adapter, 139872), type=<class 'dict'>": (
        "object",
        "self.adapter is a new object",
        None,
        None,
    ),
    "0/1: 2 <= tokens.size()[0]  # return F.embedding(  # nn/modules/sparse.py:189 in forward (": (
        "sizes",
        "the condition 2 <= tokens.size()[0]",
        "2 <= tokens.size()[0]",
        None,
    ),
    "0/0: CodeGuardAccessor: Not a function on fn.__code__": (
        "other",
        "the check CodeGuardAccessor: Not a function on fn.__code__",
        None,
        None,
    ),
}


@pytest.mark.parametrize("text", TEXTS)
def test_cause_of_a_guard(text: str) -> None:
    guard = read_guard(text)
    assert (guard.cause.name, guard.what, guard.old, guard.new) == TEXTS[text]


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
