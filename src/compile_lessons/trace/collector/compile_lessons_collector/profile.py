"""Profile a few calls of a compiled function once it no longer compiles. Only ``diagnose --profile-steps`` loads this.

A program that uses torch's profiler itself keeps it: its own profile ends this one, or prevents it.
"""

import os
import threading
import time

#: Private names of torch: the methods by which every profile begins.
HOOKS = {
    "torch.autograd.profiler:profile._prepare_trace": "profiles of the program's own",
    "torch.autograd.profiler:profile._start_trace": "a profile after its preparation",
}
#: Calls of a compiled function without a compile, after which it is taken to be in its steady state.
QUIET = 5


class Window:
    """One profile, of ``steps`` calls of the compiled function that is the first to be quiet."""

    def __init__(self, folder, steps, write, guarded, limits):
        self.folder, self.steps = folder, steps
        self.write, self.guarded, self.limits = write, guarded, limits
        self.lock = threading.Lock()
        self.quiet = {}  # calls of each region and thread since the last compile
        self.calls = {}
        self.key = None  # the region and thread whose calls are profiled
        self.profile = None
        self.began = None  # when the profile began, after a call in which torch got ready for it
        self.left = 0
        self.over = False
        self._watch_others()

    def _watch_others(self):
        import torch.autograd.profiler

        original = torch.autograd.profiler.profile._prepare_trace
        window = self

        def _prepare_trace(self):
            if self is not window.profile:
                window.guarded(window.give_way)
            return original(self)

        torch.autograd.profiler.profile._prepare_trace = _prepare_trace

    def make_enter(self, number):
        """Return what torch calls before each call of a region."""

        def enter():
            if not self.over:
                self.guarded(self.at_call, number)
            return _leave

        return enter

    def at_call(self, number):
        key = number, threading.get_ident()
        with self.lock:
            if not self.calls:
                self.guarded(self.limits.watch)
            self.calls[key] = self.calls.get(key, 0) + 1
            if self.profile is None:
                self.quiet[key] = self.quiet.get(key, 0) + 1
                if self.quiet[key] >= QUIET:
                    self._prepare(key)
            elif key == self.key and self.began is None:
                self.profile._start_trace()
                self.began = time.perf_counter()
            elif key == self.key:
                self.left -= 1
                if self.left == 0:
                    self._end()

    def compiled(self):
        """Begin to count again: something was compiled. A profile that has it is no steady state."""
        with self.lock:
            self.quiet.clear()
            self._stop()

    def _prepare(self, key):
        """Get torch ready, a call ahead: on a GPU that takes a second, mostly at the first kernel that follows."""
        import torch

        if torch.autograd._profiler_enabled():
            self._give_up("the program uses torch's profiler itself")
            return
        self.key, self.left = key, self.steps
        device = "cuda" if torch.cuda.is_available() and torch.cuda.is_initialized() else None
        # the sizes of products say what they compute; on the CPU nothing reads them
        self.profile = torch.autograd.profiler.profile(
            use_device=device, use_kineto=True, record_shapes=device is not None
        )
        self.profile._prepare_trace()

    def _end(self):
        """Write the profile down. Its device is waited for, so that the work of all calls is in it."""
        import torch

        if self.profile.use_device:
            torch.cuda.synchronize()
        elapsed = time.perf_counter() - self.began
        profile, self.over = self._stop(), True
        name = f"{os.getpid()}-profile.json"
        path = os.path.join(self.folder, name)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))  # torch would let others read it
        profile.export_chrome_trace(path)
        done = self.steps - self.left
        rates = self.guarded(self.limits.measure, torch) if profile.use_device else None
        self.write(
            "profile",
            file=name,
            profile={
                "region": self.key[0],
                "first": self.calls[self.key] - done,
                "steps": done,
                "seconds": elapsed,
                "device": torch.cuda.get_device_name() if profile.use_device else None,
                "rates": rates or {},
            },
        )

    def _give_up(self, why):
        self.over = True
        self.write("profile", profile={"why": why})

    def give_way(self):
        """End this profile before one of the program's begins."""
        with self.lock:
            self._close("the program uses torch's profiler itself")

    def at_exit(self):
        """Write down a profile that the program's end cuts off."""
        with self.lock:
            self._close(f"no compiled function was called {QUIET + self.steps} times in a row without a compile")

    def _close(self, why):
        if self.profile is not None and self.left < self.steps:
            self._end()
        elif not self.over:
            self._stop()
            self._give_up(why)

    def _stop(self):
        profile, self.profile = self.profile, None
        if profile is not None:
            if self.began is None:  # torch ends no profile that did not begin
                profile._start_trace()
            profile.__exit__(None, None, None)
        self.began = None
        return profile


def _leave():
    pass
