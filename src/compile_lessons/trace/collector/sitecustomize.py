"""Python imports this file when the user's program starts: run the user's own sitecustomize, then wait for torch.

It is all that a process without torch pays for. A process that imports torch loads ``compile_lessons_collector``. Any
Python that the program starts reads this file, so it has no syntax that Python 2 lacks; before 3.11 it does no more.
"""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
#: What a process of Inductor's that compiles for another one was started with; such a process is left alone.
_WORKER = os.path.join("_inductor", "compile_worker", "__main__.py")
_this = sys.modules.get("sitecustomize")  # Python 2 empties a module that nothing refers to


def _run_the_users_own():
    """Import the sitecustomize that Python would have found without this one, if there is one."""
    ours = sys.modules.pop("sitecustomize", None)
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder or ".") != _HERE]
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if str(error).replace("'", "") != "No module named sitecustomize":
            raise
    finally:
        if ours is not None and "sitecustomize" not in sys.modules:
            sys.modules["sitecustomize"] = ours  # Python looks for it when this file has run


class _Finder:
    """Tells the collector that torch, torch._dynamo or Triton was imported. It finds no module itself."""

    def __init__(self, folder):
        self.folder = folder
        self.waiting = ["torch", "torch._dynamo", "triton.runtime.autotuner"]
        self.searching = False
        self.collector = None

    def find_spec(self, name, path=None, target=None):
        if name not in self.waiting or self.searching:
            return None
        self.searching = True
        try:
            found = (finder.find_spec(name, path, target) for finder in list(sys.meta_path))
            spec = next((spec for spec in found if spec is not None), None)
        finally:
            self.searching = False
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self)
        return spec

    def imported(self, module):
        if module.__name__ not in self.waiting:
            return
        self.waiting.remove(module.__name__)  # who asks for the spec alone, as transformers does, imports nothing
        if not self.waiting:
            sys.meta_path.remove(self)
        if self.collector is None:
            self.collector = _import_collector()
            self.collector.start(self.folder)
        if module.__name__ == "torch":
            self.collector.torch_imported(module)
        elif module.__name__ == "torch._dynamo":
            self.collector.dynamo_imported(module)
        else:
            self.collector.triton_imported()


def _import_collector():
    """Import the collector, which leaves no bytecode in a folder that is not the program's."""
    folder, written = os.environ["COMPILE_LESSONS_COLLECTOR"], sys.dont_write_bytecode
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    try:
        import compile_lessons_collector
    finally:
        sys.dont_write_bytecode = written
        sys.path.remove(folder)
    return compile_lessons_collector


class _Loader:
    """The module's own loader, and a word to the finder after it has run."""

    def __init__(self, loader, finder):
        self.loader = loader
        self.finder = finder

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        self.finder.imported(module)

    def __getattr__(self, name):
        return getattr(self.loader, name)


try:
    _run_the_users_own()
finally:
    if sys.version_info >= (3, 11) and "COMPILE_LESSONS_COLLECT" in os.environ:
        if not any(part.endswith(_WORKER) for part in sys.orig_argv):
            sys.meta_path.insert(0, _Finder(os.environ["COMPILE_LESSONS_COLLECT"]))
