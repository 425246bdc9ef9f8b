"""The reader's program around what is explained: what it compiles, and how it calls that.

``explain`` calls what the file itself compiled, and watches it. What the file would compile or do only as a script is
read from its text, and done alike if it can be: options, contexts, a thread.
"""

from __future__ import annotations

import ast
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, TypeVar

from compile_lessons.commands.loading import ExplainError, Named, load, source_of, to_explain
from compile_lessons.commands.sites import CallSite, CompileSite, Sites, at_once
from compile_lessons.facts import Circumstance, Location
from compile_lessons.ground.reading import parse
from compile_lessons.ground.site import address

T = TypeVar("T")
#: Torch's settings. From torch 2.12 on, what a thread sets is not set in another one.
_SETTINGS = ("torch._dynamo.config", "torch._inductor.config", "torch._functorch.config")


@dataclass
class Program:
    """What to call, and how the program calls it. ``circumstances`` say what of it is kept."""

    fn: Callable[..., Any]
    #: Whether ``fn`` is called as it is, because the program compiles it, or something that it calls.
    observe: bool
    #: What the file calls it by.
    names: list[str] = field(default_factory=list)
    contexts: list[Callable[[], AbstractContextManager[Any]]] = field(default_factory=list)
    #: The line that starts the thread in which the program calls it.
    thread: Location | None = None
    circumstances: list[Circumstance] = field(default_factory=list)

    @contextmanager
    def within(self) -> Iterator[None]:
        """Enter the contexts in which the program makes the call."""
        with ExitStack() as stack:
            for make in self.contexts:
                stack.enter_context(make())
            yield

    def run(self, function: Callable[[], T]) -> T:
        """Call ``function`` in a new thread if the program makes its calls in one: torch keeps settings per thread.

        What the program compiles during the call is noted, if it is observed.
        """
        from compile_lessons.pipeline.programs import recording  # here, as it imports torch

        with recording() if self.observe else nullcontext():
            return self._run(function)

    def _run(self, function: Callable[[], T]) -> T:
        if self.thread is None:
            return function()
        before = _settings()
        result: list[T | BaseException] = []
        inside: dict[str, Any] = {}

        def target() -> None:
            inside.update(_settings())
            try:
                result.append(function())
            except BaseException as error:  # raised again in the main thread
                result.append(error)

        thread = threading.Thread(target=target, daemon=True)
        thread.start()
        thread.join()
        self.circumstances += _not_there(before, inside)
        [done] = result
        if isinstance(done, BaseException):
            raise done
        return done


def program_of(target: Named, options: str | None) -> Program:
    """Return what to call for ``target``. ``options`` are those of the command line: ``dynamic=False``."""
    import torch

    from compile_lessons.pipeline.compiled import uncompiled
    from compile_lessons.pipeline.forward_backward import loss_scale

    fn = to_explain(target)
    sites = Sites(parse(source_of(target.path)))
    if options is not None:
        program = _compiled(uncompiled(fn), target.name, _options(options), None, target.name)
    elif _compiles(fn):
        program = Program(fn, observe=True, names=[target.name])
    else:
        program = _compiled_as_in_text(fn, target, sites)
    _add_calls(program, target, sites.calls(program.names))
    with program.within():
        if (scale := loss_scale()) != 1:
            what = f"differentiated with gradients scaled by {scale:,.0f}, as GradScaler does"
            program.circumstances.append(Circumstance(what=what, location=None))
    torch.compiler.reset()
    return program


def _compiled_as_in_text(fn: Any, target: Named, sites: Sites) -> Program:
    """Return ``fn`` compiled as the file does where it runs as a script, or to be compiled by ``capture``."""
    site = _site_of(target.name, sites.compiles)
    if site is not None:
        place = _place(target, site.line)
        keywords = _evaluated(site, vars(load(target)))
        if keywords is not None:
            return _compiled(fn, target.name, keywords, place, site.alias or at_once(site.what))
        what = f"it compiles {site.what} with options that only a run of the script knows"
        return Program(fn, observe=False, circumstances=[Circumstance(what=what, location=place, kept=False)])
    program = Program(fn, observe=False, names=[target.name])
    for what, other in _other_compiles(target, sites):
        what = f"it compiles {what}, and not {target.name}"
        program.circumstances.append(Circumstance(what=what, location=other, kept=False))
        break
    return program


def _compiles(fn: Any) -> bool:
    """Whether ``fn`` is compiled, or something that it can reach is, or a function there calls ``torch.compile``."""
    import torch

    from compile_lessons.compare.reach import inside, walk
    from compile_lessons.pipeline.compiled import is_compiled

    reached = walk({"": fn}, inside).values()
    modules = [part for value in reached if isinstance(value, torch.nn.Module) for part in value.modules()]
    return any(map(is_compiled, [*reached, *modules])) or any(map(_calls_compile, reached))


def _calls_compile(value: Any) -> bool:
    """Whether a function of the user's calls ``torch.compile``, by the names in its code."""
    import torch

    code, names = getattr(value, "__code__", None), getattr(value, "__globals__", {})
    if code is None or not hasattr(code, "co_names"):
        return False
    return "compile" in code.co_names and any(names.get(name) is torch for name in code.co_names)


def _site_of(name: str, sites: list[CompileSite]) -> CompileSite | None:
    """Return where the file compiles ``name``: itself before something that is made of it."""
    exact = [site for site in sites if site.what == name]
    return next(iter([*exact, *(site for site in sites if name in site.names)]), None)


def _other_compiles(target: Named, sites: Sites) -> Iterator[tuple[str, Location | None]]:
    """Yield what else the program compiles: what it did compile, then what its text compiles."""
    from compile_lessons.pipeline.programs import noted_compiles

    yield from ((site.what, _place(target, site.line)) for site in sites.compiles)
    yield from ((own.what, own.location) for own in noted_compiles())


def _compiled(fn: Any, name: str, keywords: dict[str, Any], place: Location | None, called: str) -> Program:
    """Return ``fn`` compiled with options of the file, at ``place``, or else of the command line.

    ``called`` is the name by which the file calls what it compiled.
    """
    import torch

    from compile_lessons.pipeline.programs import note

    given: dict[str, Any] = {name: dict(it) if isinstance(it, dict) else it for name, it in keywords.items()}
    try:
        compiled = torch.compile(fn, **given)
    except Exception as error:  # options that torch refuses, by exceptions of several types
        source = str(place) if place else "--compile"
        raise ExplainError(f"torch.compile refuses the options of {source}: {type(error).__name__}: {error}") from error
    note(compiled, name, keywords, place)
    return Program(compiled, observe=True, names=[called])


def _options(text: str) -> dict[str, Any]:
    """Read the options of ``torch.compile`` on the command line."""
    try:
        call = parse(f"compile({text})", mode="eval").body
        if isinstance(call, ast.Call) and not call.args and all(keyword.arg for keyword in call.keywords):
            return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError):
        pass
    example = "--compile 'dynamic=False, mode=\"max-autotune\"'"
    raise ExplainError(f"--compile {text!r} is not understood\n  Fix: write options of torch.compile, as in {example}")


def _evaluated(site: CompileSite, namespace: dict[str, Any]) -> dict[str, Any] | None:
    try:
        return {str(keyword.arg): _evaluate(keyword.value, namespace) for keyword in site.keywords}
    except Exception:  # of any type: a name that is not there yet, a call that fails
        return None


def _evaluate(node: ast.expr, namespace: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "<file>", "eval"), dict(namespace))


def _add_calls(program: Program, target: Named, calls: list[CallSite]) -> None:
    """Call as the first call in the file does, and say how the other calls differ from it."""
    namespace = vars(load(target))
    for i, site in enumerate(calls):
        place = _place(target, site.line)
        for context in site.contexts:
            written = ast.unparse(context)
            make = _context_maker(context, namespace) if i == 0 else None
            if make is not None:
                program.contexts.append(make)
                program.circumstances.append(Circumstance(what=f"called within {written}", location=place))
            else:
                what = f"it {'also ' * bool(i)}calls {target.name} within {written}"
                program.circumstances.append(Circumstance(what=what, location=place, kept=False))
        if site.thread is not None and i == 0:
            program.thread = _place(target, site.thread)
            program.circumstances.append(Circumstance(what="called in a new thread", location=program.thread))
        elif i and not site.contexts and site.way != calls[0].way:
            how = "in another thread" if site.thread is not None else "outside of these contexts and threads"
            what = f"it also calls {target.name} {how}"
            program.circumstances.append(Circumstance(what=what, location=place, kept=False))


def _context_maker(node: ast.expr, namespace: dict[str, Any]) -> Callable[[], AbstractContextManager[Any]] | None:
    """Return what makes a context of the file; ``None`` if its expression needs what only a run of the script has."""

    def make() -> Any:
        value = _evaluate(node, namespace)
        return value() if isinstance(value, type) else value  # @torch.no_grad

    try:
        made = make()
    except Exception:  # of any type: the reader's expression
        return None
    return make if hasattr(made, "__enter__") else None


def _settings() -> dict[str, Any]:
    """Return torch's settings, as the current thread has them."""
    import importlib

    modules = [importlib.import_module(name) for name in _SETTINGS]
    return {f"{module.__name__}.{name}": it for module in modules for name, it in module.get_config_copy().items()}


def _not_there(before: dict[str, Any], inside: dict[str, Any]) -> Iterator[Circumstance]:
    """Yield the settings of the main thread that the new thread doesn't have."""
    for name, value in before.items():
        if inside.get(name) != value:
            what = f"{name} is {value!r} in the main thread and {inside.get(name)!r} in the new one"
            yield Circumstance(what=f"{what}\n  see {address('production/serving#settings')}", location=None)


def _place(target: Named, line: int) -> Location:
    from compile_lessons.facts.places import location

    return location(str(target.path), line)
