"""The catalogue: symptom → cause, remedy and lesson. ``catalogue.toml`` beside this file holds it.

The search of the site, the tables of *Fix* and of the reference, ``explain`` and ``diagnose`` read it.
"""

import functools
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import msgspec

#: The page whose tables show what torch prints.
MESSAGES = "reference/messages"
_CODE = re.compile(r"`([^`]+)`")
#: In torch's explanation of a graph break: ``builtin operator `print` with argument types …``.
_BUILTIN = re.compile(r"builtin operator `(\w+)`")
#: ``[a budget](aot/partition#the-memory-budget)``
_LINK = re.compile(r"\[((?:[^\]`]|`[^`]*`)*)\]\(([^)]*)\)")


class Fix(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What to do about a finding. Without a lesson, what the rule knows besides, such as the guard, has the lesson."""

    remedy: str
    lesson: str = ""
    #: The rule that names it.
    rule: str = ""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A symptom and what to do about it. Texts are Markdown of one line; links name a page and a part of it."""

    #: What torch prints, what the program does, or what changed.
    symptom: str
    cause: str = ""
    remedy: str = ""
    #: Where the course explains it: ``dynamo/changing-numbers#two-uses``.
    lesson: str
    #: What to look for in a message, if that is not the code in the symptom.
    texts: tuple[str, ...] = ()
    #: For wrong results without an error: names that a program with this bug has in its text, all of them; ``a|b`` is
    #: either. Where there are none, the bug can't be told from a program's text.
    uses: tuple[str, ...] = ()
    #: Whether eager mode is likely to raise the message too; ``None`` if the message doesn't tell.
    eager: bool | None = None
    #: Whether torch raises it in the program's own code too, for what ``torch.compile`` did before.
    outside: bool = False
    #: Whether it is a warning that no rule but that of warnings tells of.
    warning: bool = False
    #: The first of torch's backends whose results differ, or ``wrapper`` for the module that ``torch.compile`` returns.
    backend: str = ""

    @property
    def words(self) -> str:
        """The cause and the remedy without links, for a terminal."""
        return plain(f"{self.cause}: {self.remedy}" if self.cause and self.remedy else self.remedy or self.cause)

    def fix(self, rule: str) -> Fix:
        """Return what to do, as the fix of what a rule found."""
        return Fix(rule=rule, remedy=self.words, lesson=self.lesson)

    @property
    def messages(self) -> tuple[str, ...]:
        """The parts of messages that name it, if the symptom is nothing else: ```a` or `b```."""
        if self.texts:
            return self.texts
        return tuple(_CODE.findall(self.symptom)) if not _CODE.sub("", self.symptom).replace(" or ", "") else ()

    @property
    def anchor(self) -> str:
        """The id of its row on the page of messages, if a row has one."""
        name = self.messages[0] if self.messages else ""
        return f"message-{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}" if name else ""

    @property
    def in_own_row(self) -> bool:
        """Whether its row on the page of messages explains it, and no lesson does."""
        return self.lesson == f"{MESSAGES}#{self.anchor}"


class Rows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table, and the page that shows it. ``printed``: its symptoms are what torch prints."""

    page: str
    columns: tuple[str, str]
    rows: tuple[Entry, ...]
    printed: bool = False


class Cause(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One kind of change that triggers a recompile. The symptom and the remedy may name groups of the pattern."""

    name: str
    #: A regular expression for the check, in torch's words. ``VALUE`` stands for a number, a string, True or None.
    pattern: str
    symptom: str
    remedy: str
    lesson: str
    #: A check that it fits, for the tests and for the reader of the file.
    example: str
    #: The table ``uses`` may know better, from the line that uses the value.
    by_use: bool = False


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of it."""

    #: Tables of pages, by name.
    tables: dict[str, Rows]
    #: What torch prints and no table names.
    messages: tuple[Entry, ...]
    #: What newcomers type: the place that answers.
    questions: dict[str, str]
    #: Guards, in the order in which they are tried.
    guards: tuple[Cause, ...]
    #: What to do about a value that changes, by how a function uses it. The first use limits the remedies most.
    uses: dict[str, str]
    #: Graph breaks, by torch's ids: ``GB0059``, or ``GB0059 print`` for one function.
    breaks: dict[str, Entry]
    #: Hints that torch adds to many breaks and that name no change to the code, by their beginnings.
    stock_hints: tuple[str, ...]
    #: What to do about what a rule found, by rule and cause.
    rules: dict[str, dict[str, Fix]]
    #: The page that shows a name of torch's reference.
    lessons: dict[str, str]
    #: What the page of a lesson is called.
    titles: dict[str, str]

    def printed(self) -> Iterator[Entry]:
        """Yield every entry for what torch prints."""
        for table in self.tables.values():
            yield from table.rows if table.printed else ()
        yield from self.messages


@functools.cache
def catalogue() -> Catalogue:
    """Read the catalogue."""
    import tomllib  # not where the package is imported

    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Catalogue)


def explain_message(message: str) -> Entry | None:
    """Return the entry for the longest part of a message that the catalogue has, phrases before names."""
    typed = _normal(message)
    found = [(" " in part, len(part), entry) for part, entry in _parts() if _has(typed, part)]
    return max(found, key=lambda item: item[:2])[2] if found else None


def explain_break(gb_id: str | None, message: str) -> Entry | None:
    """Return the entry for a graph break, ``GB0059``. The message names the function, which may have its own entry."""
    rows = catalogue().breaks
    name = _BUILTIN.search(message)
    own = rows.get(f"{gb_id} {name[1]}") if name else None
    return own or rows.get(gb_id or "")


def fix(rule: str, cause: str = "any", /, **names: object) -> Fix:
    """Return what to do about what a rule found. ``names`` fill in the remedy's."""
    found = catalogue().rules[rule][cause]
    return msgspec.structs.replace(found, rule=rule, remedy=found.remedy.format(**names))


def together(fixes: Iterable[Fix]) -> Fix:
    """Return the first of some fixes of one rule, with the remedies of all."""
    first, *others = fixes
    return msgspec.structs.replace(first, remedy="; ".join(each.remedy for each in (first, *others)))


def silent_bugs(names: Collection[str], backend: str) -> list[Entry]:
    """Return the known wrong results without an error that a program may have met, those of the same backend first.

    ``names`` are the dotted names in the program's text, such as ``torch.func.grad``.
    """

    def has(use: str) -> bool:
        return any(f".{name}".endswith(f".{one}") for one in use.split("|") for name in names)

    rows = catalogue().tables["silent"].rows
    possible = [row for row in rows if row.uses and row.backend in ("", backend) and all(map(has, row.uses))]
    return sorted(possible, key=lambda row: not row.backend)


def plain(markdown: str) -> str:
    """Return text without links."""
    return _LINK.sub(r"\1", markdown)


@functools.cache
def _parts() -> tuple[tuple[str, Entry], ...]:
    return tuple((_normal(part), entry) for entry in catalogue().printed() for part in entry.messages)


def _normal(text: str) -> str:
    """Return text as it is compared: without quotes, and in lower case."""
    return re.sub(r"[\s`'\"“”]+", " ", text.lower()).strip()


def _has(text: str, part: str) -> bool:
    """Whether a text has a part, as whole words. ``{…}`` stands for anything that torch fills in.

    A digit may follow: torch prints ``wrong number of dimensions2``.
    """
    pattern = re.escape(part).replace(re.escape("{…}"), ".{1,200}")
    return re.search(rf"(?<!\w){pattern}(?![^\W\d])", text) is not None
