"""Compiles, calls, contexts and threads in the text of a file."""

import ast

import pytest

from compile_lessons.commands.sites import Sites, at_once


def sites(text):
    return Sites(ast.parse(text))


def ways(text, name="fast"):
    return [site.way for site in sites(text).calls([name])]


IN_AUTOCAST = """
def train(x):
    with torch.autocast("cpu", dtype=torch.float16), open("log"):
        y = fast(x)
    return y
"""
DECORATED = """
@torch.inference_mode()
def answer(x):
    return fast(x)
"""


def test_contexts_around_a_call():
    assert ways(IN_AUTOCAST) == [(("torch.autocast('cpu', dtype=torch.float16)",), False)]
    assert ways(DECORATED) == [(("torch.inference_mode()",), False)]
    assert ways("with torch.no_grad():\n    train(1)\n" + IN_AUTOCAST) == [
        (("torch.no_grad()", "torch.autocast('cpu', dtype=torch.float16)"), False)
    ]
    assert ways("fast(1)\n" + IN_AUTOCAST)[0] == ((), False) and len(ways("fast(1)\n" + IN_AUTOCAST)) == 2


@pytest.mark.parametrize(
    ("start", "is_thread"),
    [
        ("threading.Thread(target=answer)", True),
        ("Thread(target=self.answer)", True),
        ("from x import ThreadPoolExecutor\npool.submit(answer, 1)", True),
        ("from x import ThreadPoolExecutor\npool.map(answer, [1])", True),
        ("loop.run_in_executor(None, answer, 1)", True),
        ("from x import ProcessPoolExecutor\npool.submit(answer, 1)", False),
        ("answer(1)", False),
    ],
)
def test_the_thread_of_a_call(start, is_thread):
    [(contexts, thread)] = ways(f"{DECORATED}\n{start}\n")
    assert contexts == ("torch.inference_mode()",) and thread is is_thread


def test_contexts_of_the_thread_that_starts_another_one_do_not_reach_it():
    assert ways(f"{DECORATED}\nwith torch.autocast('cpu'):\n    Thread(target=answer)\n") == [
        (("torch.inference_mode()",), True)
    ]


def test_a_call_of_the_original_is_not_one_of_what_is_compiled():
    text = "step(1)\nwith torch.no_grad():\n    torch.compile(step)(1)\n"
    assert ways(text, "step") == [((), False)]
    assert ways(text, at_once("step")) == [(("torch.no_grad()",), False)]


def test_a_function_that_calls_itself_ends():
    assert ways("def f(x):\n    f(x)\n    fast(x)\n") == [((), False)]


@pytest.mark.parametrize(
    ("text", "what", "keywords", "alias"),
    [
        ("f = torch.compile(step, dynamic=False)", "step", ["dynamic"], "f"),
        ("torch.compile(step)(x)", "step", [], ""),
        ("model.compile(mode='default')", "model", ["mode"], ""),
        ("net = torch.compile(Net().eval())", "Net().eval()", [], "net"),
    ],
)
def test_compiles(text, what, keywords, alias):
    [site] = sites(text).compiles
    assert (site.what, [it.arg for it in site.keywords], site.alias) == (what, keywords, alias)


@pytest.mark.parametrize("text", ["re.compile('a')", "compile('a', 'b', 'exec')", "@torch.compile\ndef f(): pass"])
def test_what_compiles_nothing_by_name(text):
    assert not sites(text).compiles
