"""Guards, the guard tree, and which guard failed.

Relies on ``torch/_dynamo/guards.py``: ``CheckFunctionManager.compile_check_fn`` has every guard with its code, and the
managers behind ``guard_manager.root`` are the tree that is evaluated in C++; the root's epilogue has the conditions on
sizes.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from torch.utils._traceback import shorten_filename

from compile_lessons.pipeline.dynamo import compile_id
from compile_lessons.pipeline.model import Guard, GuardNode, Location
from compile_lessons.pipeline.source import from_summary, innermost, location

#: What each kind of guard checks, where its check does not say more. Torch's names: methods of ``GuardBuilder``.
WORDS = {
    "TENSOR_MATCH": "same tensor type, dtype, device, requires_grad, sizes and strides",
    "SHAPE_ENV": "no relation between sizes is asked for",
    "TYPE_MATCH": "same type",
    "ID_MATCH": "the very same object",
    "EQUALS_MATCH": "equal value",
    "CONSTANT_MATCH": "equal constant",
    "CLASS_MATCH": "the very same class",
    "CLOSURE_MATCH": "the same function code",
    "FUNCTION_MATCH": "the very same function",
    "BUILTIN_MATCH": "the builtin was not replaced",
    "MODULE_MATCH": "the very same Python module",
    "NN_MODULE": "the same module, in the same mode",
    "DICT_VERSION": "the dictionary was not changed",
    "DICT_KEYS_MATCH": "same keys in the same order",
    "DICT_CONTAINS": "the key is there, or is not there, as before",
    "DICT_NOT_CONTAINS": "the key is still not there",
    "DICT_CONST_KEYS": "same constant keys",
    "SEQUENCE_LENGTH": "same length",
    "LIST_LENGTH": "same length",
    "TUPLE_ITERATOR_LEN": "same number of items left",
    "HASATTR": "the attribute is there, or is not there, as before",
    "NOT_PRESENT_IN_GENERIC_DICT": "the instance has no attribute that name",
    "BOOL_MATCH": "same truth value",
    "NONE_MATCH": "still None",
    "NOT_NONE": "still not None",
    "WEAKREF_ALIVE": "the object is still alive",
    "DUPLICATE_INPUT": "still the same object as another",
    "EMPTY_NN_MODULE_HOOKS_DICT": "no hooks are registered",
    "DEFAULT_DEVICE": "same default device",
    "GRAD_MODE": "gradients are on, or off, as before",
    "DETERMINISTIC_ALGORITHMS": "same setting of deterministic algorithms",
    "TORCH_FUNCTION_STATE": "torch function overrides are on, or off, as before",
    "FSDP_TRAINING_STATE": "same FSDP training state",
    "GLOBAL_STATE": "same global state of torch",
    "AUTOGRAD_SAVED_TENSORS_HOOKS": "same saved-tensor hooks",
    "MAPPING_KEYS_CHECK": "same keys",
    "RANGE_ITERATOR_MATCH": "same range",
    "DYNAMIC_INDICES": "no fewer dimensions are marked dynamic",
    "DATA_PTR_MATCH": "same memory",
    "DUAL_LEVEL": "same forward-mode level",
    "FUNCTORCH_STACK_MATCH": "same functorch transforms",
    "DISPATCH_KEY_SET_MATCH": "same dispatch keys",
    "TENSOR_SUBCLASS_METADATA_MATCH": "same metadata of the tensor subclass",
}


#: Forms of torch's checks that name a value, and the words for them.
CHECKS = tuple(
    (re.compile(form), words)
    for form, words in (
        (r"^not ___dict_contains\((.+?), ", "does not have the key {}"),
        (r"^___dict_contains\((.+?), ", "has the key {}"),
        (r"^not hasattr\(.+, '(\w+)'\)$", "has no attribute {}"),
        (r"^hasattr\(.+, '(\w+)'\)$", "has the attribute {}"),
        (r"^list\(.*keys\(.*\)\) == (\[.*\])$", "the keys {}, in this order"),
        (r"^len\(.+\) == (\d+)$", "length {}"),
        (r"^not (\S+)$", "empty, or false"),
        (r"^___check_type_id\(.*type=<class '(.+)'>", "type {}"),
        (r"^(\S+) is \S+$", "the same object as {}"),
        (r"^[^=]+ == (.+)$", "equal to {}"),
    )
)


class Watch:
    """Guards and trees of every frame that compiled, and the guards that failed, by compile id."""

    HOOKS = {  # noqa: RUF012
        "torch._dynamo.guards:CheckFunctionManager.compile_check_fn": "build",
        "torch._dynamo.convert_frame:get_and_maybe_log_recompilation_reasons": "recompile",
    }

    def __init__(self) -> None:
        self.guards: dict[str, tuple[Guard, ...]] = {}
        self.trees: dict[str, GuardNode] = {}
        #: In the order in which they failed.
        self.failed: list[str] = []

    def build(
        self, original: Callable[..., Any], manager: Any, builder: Any, guards: list[Any], *args: Any, **kwargs: Any
    ) -> Any:
        result = original(manager, builder, guards, *args, **kwargs)
        root = manager.guard_manager.root
        found, shapes = tree(root), dict(_parts(root.get_epilogue_lambda_guards()))
        tensors = {check.split(", ")[0]: check for check in _all_checks(found) if check.startswith("check_tensor(")}
        self.trees[compile_id()] = replace(found, checks=(*found.checks, *shapes))
        self.guards[compile_id()] = tuple(made for guard in guards for made in _guards(guard, tensors, shapes))
        return result

    def recompile(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> list[str]:
        reasons = original(*args, **kwargs)
        # A version that another backend made, such as the user's own, is no version of this compile.
        self.failed += [_condition(reason) for reason in reasons if "BACKEND_MATCH failure" not in reason]
        return reasons


def _guards(guard: Any, tensors: dict[str, str], shapes: dict[str, str]) -> Iterator[Guard]:
    """One as a rule; of ``SHAPE_ENV``, which is all conditions on sizes in one, one a condition, each of its own line.

    ``shapes`` has torch's comment on each condition.
    """
    if guard.create_fn_name() != "SHAPE_ENV" or not guard.code_list:
        yield _guard(guard, tensors)
        return
    for check in dict.fromkeys(guard.code_list):
        yield Guard("SHAPE_ENV", guard.name, (check,), check, _line(shapes.get(check, "")))


_SHAPE_COMMENT = re.compile(r"# (.*)  # (.+):(\d+) in (\S+) \((.*)\)$")


def _line(comment: str) -> Location | None:
    """The user's line in torch's comment on a condition: ``"# if len(x) > 3:  # file.py:3 in f (torch's own line)"``.

    Torch shortens the file's path, and quotes the line from the file, which Python's ``linecache`` keeps.
    A line said to be only where a size is used first did not cause the condition.
    """
    found = _SHAPE_COMMENT.match(comment)
    if found is None or found[5].startswith("user code shown is first use"):
        return None
    text, file, line, function = found.groups()[:4]
    places = [
        location(known, int(line), function) for known in list(linecache.cache) if shorten_filename(known) == file
    ]
    return next((place for place in places if place.text == text), None)


def _guard(guard: Any, tensors: dict[str, str]) -> Guard:
    """``tensors`` are the checks that only the tree has: those of a tensor's metadata, made in C++."""
    kind = guard.create_fn_name()
    checks = tuple(dict.fromkeys(guard.code_list or ()))
    if kind == "TENSOR_MATCH" and (found := tensors.get(f"check_tensor({guard.name}")):
        checks = (found, *checks)
    stack = from_summary(guard.user_stack) if guard.user_stack else ()
    words = _words(kind, guard.name, checks)
    if kind == "NOT_PRESENT_IN_GENERIC_DICT":  # it has no check to read the name from
        words = words.replace("that name", guard.create_fn.keywords["attr"])
    return Guard(kind, guard.name, checks, words, innermost(stack))


_TENSOR = re.compile(r"torch\.(\w+), device=\w+, requires_grad=(\w+), size=(\[.*?\]), stride=(\[.*?\])")


def _words(kind: str, source: str, checks: tuple[str, ...]) -> str:
    words = WORDS.get(kind, kind.lower().replace("_", " "))
    if kind == "TENSOR_MATCH":
        found = _TENSOR.search(" ".join(checks))
        return "{0}{2}, strides {3}, requires_grad={1}".format(*found.groups()) if found else words
    for form, specific in CHECKS if source and checks else ():
        if found := form.search(checks[-1]):
            return specific.format(*found.groups())
    return words


def _all_checks(node: GuardNode) -> list[str]:
    return [*node.checks, *(check for child in node.children for check in _all_checks(child))]


def _condition(reason: str) -> str:
    """``"0/0: tensor 'x' size mismatch …  # user code"``, with the user's stack below it, as the condition alone.

    Where torch's log of recompiles is verbose it joins several; the first is the one that it else stops at.
    """
    condition = re.sub(r"^\d+/\d+:\s*", "", reason.partition("\nUser stack trace:")[0])
    return _split(condition)[0].strip()


#: A check up to torch's comment, which may hold any characters, as it quotes the user's line; a string may hold ``#``.
_CHECK = re.compile(r"""(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^#])*""")


def _split(part: str) -> tuple[str, str]:
    """A check as torch words it, and torch's comment on it."""
    check = _CHECK.match(part)[0]
    return check.rstrip(), part[len(check) :]


def _parts(guards: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """The checks of guards in the tree, each with torch's comment."""
    return (_split(part) for guard in guards for part in guard.verbose_code_parts())


def tree(manager: Any, accessor: str = "root") -> GuardNode:
    """The tree under a guard manager, as ``GuardManagerWrapper.__str__`` walks it."""
    checks = [check for check, _ in _parts(manager.get_leaf_guards())]
    children = [tree(child, child.get_source()) for child in manager.get_child_managers()]
    if hasattr(manager, "get_key_value_managers"):
        pairs = manager.get_key_value_managers().values()
        children += [tree(child, child.get_source()) for pair in pairs for child in pair if child is not None]
    return GuardNode(accessor, tuple(checks), tuple(children))
