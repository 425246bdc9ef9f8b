"""Every entry of the catalogue leads to a section of the course that has its remedy."""

import functools
import re
import tomllib
from pathlib import Path

import pytest
from markdown.extensions.toc import slugify

from compile_lessons.findings.catalogue import (
    MESSAGES,
    Entry,
    catalogue,
    explain_break,
    explain_message,
    plain,
    silent_bugs,
)

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)]+)\)")
ENTRIES = [
    *(row for table in catalogue().tables.values() for row in table.rows),
    *catalogue().messages,
    *catalogue().breaks.values(),
    *(Entry(symptom=cause.name, remedy=cause.remedy, lesson=cause.lesson) for cause in catalogue().guards),
]


@functools.cache
def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


@functools.cache
def with_programs(name: str) -> str:
    """A page with the programs that it shows, and with the rows of the catalogue's tables that it shows."""
    programs = [ROOT / "snippets" / path for path in re.findall(r'^ *snippet\("([^"]+)"', page(name), re.M)]
    rows = [row.remedy for table in catalogue().tables.values() if table.page == name for row in table.rows]
    return "\n".join([page(name), *rows, *(path.read_text(encoding="utf-8") for path in programs)])


@functools.cache
def anchors(name: str) -> set[str]:
    own = {entry.anchor for table in catalogue().tables.values() if table.printed for entry in table.rows}
    headings = re.findall(r"^#+ (.+?)(?: \{ ?(?:#([\w-]+))?[^}]*\})?$", page(name), re.M)
    in_folds = re.findall(r'<a id="([\w-]+)"></a>', page(name))
    found = {given or slugify(plain(text), "-") for text, given in headings} | {*in_folds}
    return found | (own if name == MESSAGES else set())


def check_link(link: str) -> None:
    name, _, anchor = link.partition("#")
    assert (ROOT / "docs" / f"{name}.md").is_file(), link
    assert not anchor or anchor in anchors(name), link
    assert not name.endswith("/index"), f"{link}: no address of the site ends like this"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.symptom[:60])
def test_the_lesson_has_the_remedy(entry: Entry) -> None:
    check_link(entry.lesson)
    for link in LINK.findall(f"{entry.cause} {entry.remedy}"):
        if not link.startswith("http"):
            check_link(link)
    if entry.in_own_row:  # the row itself is the lesson
        return
    text = with_programs(entry.lesson.partition("#")[0])
    for code in CODE.findall(entry.remedy):
        # A pattern's groups stand for the reader's names: ``torch._dynamo.mark_dynamic({source}, {index})``.
        for name in re.findall(r"[A-Za-z_]\w+", re.sub(r"\{\w+\}", "", code)):
            assert re.search(rf"\b{name}\b", text), f"{entry.lesson} has no {name}"


def test_titles_are_those_of_the_pages() -> None:
    lessons = [entry.lesson for entry in ENTRIES] + [
        fix.lesson for causes in catalogue().rules.values() for fix in causes.values() if fix.lesson
    ]
    titles = {name: re.search(r"^# (.+?)(?: \{.*\})?$", page(name), re.M)[1] for name in catalogue().titles}
    assert catalogue().titles == {name: title.replace("`", "") for name, title in titles.items()}
    assert {lesson.partition("#")[0] for lesson in lessons} <= titles.keys()


RULES = ROOT / "src" / "compile_lessons" / "findings" / "rules"
FIXES = [(rule, cause) for rule, causes in catalogue().rules.items() for cause in causes]


@functools.cache
def text_of_rules() -> str:
    files = [*sorted(RULES.glob("*.py")), RULES.parent / "late.py"]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


@pytest.mark.parametrize(("rule", "cause"), FIXES)
def test_a_rule_names_the_fix_and_its_lesson_is_there(rule: str, cause: str) -> None:
    by_reason = rule == "cuda-graph-skipped"  # torch's reason names the cause
    assert f'"{rule}"' in text_of_rules() and (by_reason or cause == "any" or f'"{cause}"' in text_of_rules())
    lesson = catalogue().rules[rule][cause].lesson
    if lesson or rule != "recompiles":  # there, the guard that failed has the lesson
        check_link(lesson)


def test_rules_have_conditions_and_no_words_of_a_remedy_or_lesson() -> None:
    assert not re.findall(r"(?:remedy|lesson) ?= ?[f(]*[\"'][a-z].*", text_of_rules())


@pytest.mark.parametrize(("typed", "lesson"), catalogue().questions.items())
def test_the_answer_is_there(typed: str, lesson: str) -> None:
    assert typed.strip() == typed
    check_link(lesson)


@pytest.mark.parametrize(("name", "lesson"), catalogue().lessons.items())
def test_the_lesson_of_a_name_has_it(name: str, lesson: str) -> None:
    check_link(lesson)
    assert re.search(rf"(?<![\w.]){re.escape(name.rpartition('.')[2])}(?!\w)", with_programs(lesson))


def test_no_message_is_there_twice() -> None:
    messages = [message for entry in catalogue().printed() for message in entry.messages]
    assert len(messages) > 60
    assert {message for message in messages if messages.count(message) > 1} <= {"BackendCompilerFailed"}


@pytest.mark.parametrize(
    ("message", "lesson"),
    [
        (
            "TorchRuntimeError: RuntimeError when making fake tensor call\n  Explanation: … RuntimeError('There was no "
            "fake impl registered for <CustomOpDef(a::clip)>.')",
            "fix/crashes#no-fake-function",
        ),
        ("InvalidCxxCompiler: No working C++ compiler found in …", "pipeline/backends#without-a-c-compiler"),
        ("torch._dynamo.exc.TorchRuntimeError: unknown", f"{MESSAGES}#message-torchruntimeerror"),
        (
            "W0101 torch._dynamo hit config.recompile_limit (8)",
            "dynamo/recompile-limit#the-limit-and-the-calls-after-it",
        ),
    ],
)
def test_a_message_leads_to_the_longest_part_that_it_has(message: str, lesson: str) -> None:
    entry = explain_message(message)
    assert entry is not None and entry.lesson == lesson


def test_other_texts_lead_nowhere() -> None:
    assert explain_message("ValueError: the file has no header") is None
    assert explain_message("UnsupportedOperation: not readable") is None  # ``Unsupported`` is another class
    assert explain_break(None, "") is explain_break("GB9999", "") is None


def test_a_function_has_an_entry_of_its_own() -> None:
    message = "Dynamo does not know how to trace builtin operator `{}` with argument types ['str'] (has_kwargs False)"
    for name, key in (("print", "GB0059 print"), ("open", "GB0059")):
        assert explain_break("GB0059", message.format(name)) == catalogue().breaks[key]


def test_words_have_no_links() -> None:
    entry = Entry(symptom="`a b`", cause="one", remedy="[two](dynamo/guards) or [three](aot/partition#x)", lesson="x")
    assert entry.words == "one: two or three" and entry.messages == ("a b",) and entry.anchor == "message-a-b"
    assert Entry(symptom="`a`, and a path", lesson="x").messages == ()


@pytest.mark.parametrize(
    ("names", "backend", "lesson"),
    [
        ({"torch.func.grad", "torch.autograd.Function"}, "eager", "fix/numbers#dropped-backward"),
        ({"torch.autocast"}, "aot_eager", "production/mixed-precision#overflow"),
        ({"net.named_parameters"}, "wrapper", "fix/numbers#ema"),
    ],
)
def test_a_silent_bug_is_found_by_the_names_and_the_backend(names, backend, lesson):
    assert [bug.lesson for bug in silent_bugs(names, backend)] == [lesson]
    assert not silent_bugs(names, "inductor") and not silent_bugs({"x.grad", "loss"}, backend)


def test_bugs_of_the_backend_come_first():
    names = {"copy.deepcopy", "torch.autocast"}
    assert [bool(bug.backend) for bug in silent_bugs(names, "aot_eager")] == [True, False]
    assert silent_bugs({"redeepcopy"}, "eager") == []


def test_uses_and_backends_are_of_silent_bugs_alone():
    silent = catalogue().tables["silent"].rows
    assert sum(bool(row.uses) for row in silent) > 15
    assert not any(entry.uses or entry.backend for entry in ENTRIES if entry not in silent)
    assert {row.backend for row in silent} <= {"", "wrapper", "eager", "aot_eager", "inductor"}
    assert all(row.uses for row in silent if row.backend)


def recorded() -> list[dict[str, str]]:
    """Return what torch printed, by ``messages.toml``: some of it by torches or on machines that no test has."""
    return tomllib.loads(Path(__file__).with_name("messages.toml").read_text(encoding="utf-8"))["messages"]


@pytest.mark.parametrize("message", recorded(), ids=lambda message: message["part"])
def test_what_torch_printed_leads_to_its_row(message: dict[str, str]) -> None:
    entry = explain_message(message["text"])
    assert entry is not None and message["part"] in entry.messages
    if message["from"].startswith(("snippets/", "tests/")):
        assert (ROOT / message["from"]).is_file()


def test_every_row_says_what_to_do_and_has_a_text_that_torch_printed() -> None:
    assert all(entry.words for entry in catalogue().printed())
    assert {part for entry in catalogue().printed() for part in entry.messages} == {m["part"] for m in recorded()}
