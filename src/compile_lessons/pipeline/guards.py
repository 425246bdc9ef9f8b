"""Guards, the guard tree, and which guard failed.

Relies on ``torch/_dynamo/guards.py``: ``CheckFunctionManager.compile_check_fn`` has every guard with its code. The
managers below ``guard_manager.root`` are the tree that C++ evaluates; the root's epilogue has the conditions on sizes.
"""

import linecache
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, ClassVar

from torch.utils._traceback import shorten_filename

from compile_lessons.facts import Guard, GuardNode, Location
from compile_lessons.facts.source import location
from compile_lessons.findings.guards import split_check
from compile_lessons.pipeline.dynamo import compile_id
from compile_lessons.pipeline.hooks import Original
from compile_lessons.pipeline.locations import from_stack_trace, from_summary, origin

#: The words for each kind of guard whose check does not say more. The kinds are methods of torch's ``GuardBuilder``.
WORDS = {
    "TENSOR_MATCH": "same tensor type, dtype, device, requires_grad, sizes and strides",
    "SHAPE_ENV": "no condition on sizes",
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
    "SEQUENCE_LENGTH": "same length",
    "TUPLE_ITERATOR_LEN": "same number of items left",
    "HASATTR": "the attribute is there, or is not there, as before",
    "NOT_PRESENT_IN_GENERIC_DICT": "the instance has no attribute that name",
    "BOOL_MATCH": "same truth value",
    "NONE_MATCH": "still None",
    "WEAKREF_ALIVE": "the object is still alive",
    "DUPLICATE_INPUT": "still the same object as another",
    "EMPTY_NN_MODULE_HOOKS_DICT": "no hooks are registered",
    "DEFAULT_DEVICE": "same default device",
    "GRAD_MODE": "gradients are on, or off, as before",
    "DETERMINISTIC_ALGORITHMS": "same setting of deterministic algorithms",
    "TORCH_FUNCTION_STATE": "torch function overrides are on, or off, as before",
    "FSDP_TRAINING_STATE": "same FSDP training state",
    "GLOBAL_STATE": "same global state of torch",
    "AUTOGRAD_SAVED_TENSORS_HOOKS": "same saved-tensor hooks, if they can be traced",
    "MAPPING_KEYS_CHECK": "same keys",
    "RANGE_ITERATOR_MATCH": "same range",
    "DUAL_LEVEL": "same forward-mode level",
    "FUNCTORCH_STACK_MATCH": "same functorch transforms",
    "DISPATCH_KEY_SET_MATCH": "same dispatch keys",
    "TENSOR_SUBCLASS_METADATA_MATCH": "same metadata of the tensor subclass",
}


#: Forms of torch's checks that name a value, each below an example, and the words for them.
CHECKS = (
    # not ___dict_contains('scale', L['self'].options)
    (r"^not ___dict_contains\((.+?), ", "does not have the key {}"),
    # ___dict_contains('scale', L['self'].options)
    (r"^___dict_contains\((.+?), ", "has the key {}"),
    # not hasattr(L['self'], 'bias')
    (r"^not hasattr\(.+, '(\w+)'\)$", "has no attribute {}"),
    # hasattr(L['self'], 'bias')
    (r"^hasattr\(.+, '(\w+)'\)$", "has the attribute {}"),
    # list(dict.keys(L['options'])) == ['scale', 'names']
    (r"^list\(.*keys\(.*\)\) == (\[.*\])$", "the keys {}, in this order"),
    # len(L['xs']) == 3
    (r"^len\(.+\) == (\d+)$", "length {}"),
    # not L['flags']
    (r"^not (\S+)$", "empty, or false"),
    # ___check_type_id(L['n'], 9440640), type=<class 'int'>
    (r"^___check_type_id\(.*type=<class '(.+)'>", "type {}"),
    # L['self']._parameters['bias'] is None
    (r"^\S+ is (None|True|False)$", "{}"),
    # L['x'] is L['y']
    (r"^(\S+) is \S+$", "the same object as {}"),
    # L['n'] == 3
    (r"^[^=]+ == (.+)$", "equal to {}"),
)


class GuardsWatch:
    """Guards and guard trees by compile id, and the guards that failed."""

    HOOKS: ClassVar[dict[str, str]] = {
        "torch._dynamo.guards:CheckFunctionManager.compile_check_fn": "build",
        "torch._dynamo.convert_frame:get_and_maybe_log_recompilation_reasons": "recompile",
    }

    def __init__(self) -> None:
        self.guards: dict[str, tuple[Guard, ...]] = {}
        self.trees: dict[str, GuardNode] = {}
        #: In the order in which they failed.
        self.failed: list[str] = []
        self.failed_at: dict[str, Location] = {}

    def build(
        self, original: Original, manager: Any, builder: Any, guards: list[Any], *args: Any, **kwargs: Any
    ) -> Any:
        result = original(manager, builder, guards, *args, **kwargs)
        root = manager.guard_manager.root
        tree, comments = guard_tree(root), dict(_checks(root.get_epilogue_lambda_guards()))
        tensors = {check.split(", ")[0]: check for check in _all_checks(tree) if check.startswith("check_tensor(")}
        self.trees[compile_id()] = replace(tree, checks=(*tree.checks, *comments))
        self.guards[compile_id()] = tuple(part for guard in guards for part in _guards(guard, tensors, comments))
        return result

    def recompile(self, original: Original, *args: Any, **kwargs: Any) -> list[str]:
        reasons: list[str] = original(*args, **kwargs)
        # BACKEND_MATCH fails for a version that another backend compiled, such as the user's own: not of this compile.
        for reason in reasons:
            if "BACKEND_MATCH failure" not in reason:
                self.failed.append(_condition(reason))
                if line := from_stack_trace(reason) or _line(split_check(reason)[1]):
                    self.failed_at[self.failed[-1]] = line
        return reasons


def _guards(guard: Any, tensors: dict[str, str], comments: dict[str, str]) -> Iterator[Guard]:
    """Yield a guard as data. ``SHAPE_ENV``, which holds all conditions on sizes, is one guard per condition.

    ``tensors`` are the checks of tensors' metadata, ``comments`` torch's comments on the conditions.
    """
    if guard.create_fn_name() != "SHAPE_ENV" or not guard.code_list:
        yield _guard(guard, tensors)
        return
    for check in dict.fromkeys(guard.code_list):
        line = _line(comments.get(check, ""))
        yield Guard(kind="SHAPE_ENV", source=guard.name, checks=(check,), words=check, location=line)


#: Torch's comment on a condition: ``# if len(x) > 3:  # file.py:3 in f (_dynamo/variables/tensor.py:1 in method)``.
_SHAPE_COMMENT = re.compile(r"# (.*)  # (.+):(\d+) in (\S+) \((.*)\)$")


def _line(comment: str) -> Location | None:
    """Return the user's line in torch's comment on a condition.

    Torch shortens the file's path, and quotes the line from the file, which Python's ``linecache`` keeps.
    A comment on the line where a size is first used does not name the line that caused the condition.
    """
    match = _SHAPE_COMMENT.match(comment)
    if match is None or match[5].startswith("user code shown is first use"):
        return None
    text, shortened, line, function = match.groups()[:4]
    files = [file for file in list(linecache.cache) if shorten_filename(file) == shortened]
    places = [location(file, int(line), function) for file in files]
    return next((place for place in places if place.text == text), None)


def _guard(guard: Any, tensors: dict[str, str]) -> Guard:
    """Return a guard as data. ``tensors`` are checks that only the tree has: C++ makes those of a tensor's metadata."""
    kind = guard.create_fn_name()
    checks = tuple(dict.fromkeys(guard.code_list or ()))
    if kind == "TENSOR_MATCH" and (check := tensors.get(f"check_tensor({guard.name}")):
        checks = (check, *checks)
    words, value = _words(kind, guard.name, checks)
    if kind == "NOT_PRESENT_IN_GENERIC_DICT":  # it has no check to read the name from
        words = words.replace("that name", guard.create_fn.keywords["attr"])
    line = origin(from_summary(guard.user_stack))
    return Guard(kind=kind, source=guard.name, checks=checks, words=words, location=line, value=value)


#: ``check_tensor(L['x'], Tensor, …, torch.float32, device=None, requires_grad=False, size=[3, 8], stride=[8, 1])``.
_TENSOR = re.compile(r"torch\.(\w+), device=\w+, requires_grad=(\w+), size=(\[.*?\]), stride=(\[.*?\])")


#: Literals, in a check for an equal value.
_LITERAL = re.compile(r"[-+\d.e]+|True|False|'.*'")


def _words(kind: str, source: str, checks: tuple[str, ...]) -> tuple[str, str]:
    """Return a guard in English, and the value that it asks for, if that can be written down."""
    words = WORDS.get(kind, kind.lower().replace("_", " "))
    if kind == "TENSOR_MATCH":
        if not (tensor := _TENSOR.search(" ".join(checks))):
            return words, ""
        dtype, grad, sizes, strides = tensor.groups()
        value = f"{dtype}{sizes}" + (", requires_grad=True" if grad == "True" else "")
        return f"{dtype}{sizes}, strides {strides}, requires_grad={grad}", value
    for form, specific in CHECKS if source and checks else ():
        if match := re.search(form, checks[-1]):
            is_literal = specific == "equal to {}" and _LITERAL.fullmatch(match[1])
            is_type = specific == "type {}" and kind == "TYPE_MATCH"
            return specific.format(*match.groups()), match[1] if is_literal or is_type else ""
    return words, ""


def _all_checks(node: GuardNode) -> list[str]:
    return [*node.checks, *(check for child in node.children for check in _all_checks(child))]


#: The compile id before a reason: ``0/0: ``.
_COMPILE_ID = re.compile(r"^\d+/\d+:\s*")


def _condition(reason: str) -> str:
    """Return the condition alone of ``"0/0: tensor 'x' size mismatch …  # user code"`` and the user's stack below it.

    Where torch's log of recompiles is verbose, torch joins several conditions. The first one is the one that failed.
    """
    condition = _COMPILE_ID.sub("", reason.partition("\nUser stack trace:")[0])
    return split_check(condition)[0].strip()


def _checks(guards: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Yield the checks of guards in the tree, each with torch's comment."""
    return (split_check(part) for guard in guards for part in guard.verbose_code_parts())


def guard_tree(manager: Any, accessor: str = "root") -> GuardNode:
    """Return the tree under a guard manager, as ``GuardManagerWrapper.__str__`` walks it."""
    checks = tuple(check for check, _ in _checks(manager.get_leaf_guards()))
    children = [guard_tree(child, child.get_source()) for child in manager.get_child_managers()]
    if hasattr(manager, "get_key_value_managers"):
        pairs = manager.get_key_value_managers().values()
        children += [guard_tree(child, child.get_source()) for pair in pairs for child in pair if child is not None]
    return GuardNode(accessor=accessor, checks=checks, children=tuple(children))
