"""The benchmark on machines that are made up, each with one trap. Only compiling is real, and its cost is not."""

import random

import torch

from compile_lessons.labs import Work, Wrong, require

torch.set_num_threads(1)  # so that other programs on this machine disturb less

COMPILE = 2.0  # seconds
_LATE, _LAST = 200, 24  # calls until everything takes twice as long; the number of the smaller batch


class Machine:
    """A clock that moves only when something runs, and a model, eager and compiled.

    A call takes ``seconds`` of work, more with gradients. On a ``gpu`` it is queued. With ``pauses``, every fifth call
    is interrupted. A machine that ``slows`` down takes longer with each call, as a processor does when it gets hot.
    """

    def __init__(self, gpu=False, pauses=False, slows=False, gradients=False):
        self.gpu, self.pauses, self.slows, self.gradients = gpu, pauses, slows, gradients
        self.now, self.queued, self.calls, self.compiles = 0.0, 0.0, 0, 0
        unit = random.uniform(0.5, 2) * 1e-3
        self.seconds = {"eager": unit, "compiled": 0.8 * unit}
        layer = torch.nn.Linear(4, 4)

        def eager(x):
            self.work(self.seconds["eager"])
            return layer(x)

        torch.compiler.reset()
        self.functions = {"eager": eager, "compiled": torch.compile(layer, backend=self.compile)}

    def clock(self):
        return self.now

    def synchronize(self):
        self.now, self.queued = self.now + self.queued, 0.0

    def work(self, seconds):
        self.calls += 1
        if self.gradients and torch.is_grad_enabled():
            seconds *= 1.5
        if self.slows:
            seconds *= 1 + self.calls / _LATE
        if self.pauses and self.calls % 5 == 0:
            self.now += 0.05
        self.now += seconds / 100 if self.gpu else seconds
        self.queued += seconds if self.gpu else 0.0

    def compile(self, module, examples):
        self.now, self.compiles = self.now + COMPILE, self.compiles + 1

        def run(*inputs):
            self.work(self.seconds["compiled"])
            return module(*inputs)

        return run


def _run(work, **traps):
    """Return the learner's times on a machine with these traps, and the machine."""
    machine = Machine(**traps)
    batches = [torch.randn(8, 4) for _ in range(_LAST)] + [torch.randn(3, 4)]
    times = work.benchmark(machine.functions, batches, machine.clock, machine.synchronize)
    require(
        isinstance(times, dict) and set(times) == set(machine.functions),
        "`benchmark` has to return a dict from the names of the functions to their seconds.",
    )
    require(machine.calls >= 20, f"The functions are called {machine.calls} times in total, which is too few.")
    return times, machine


def _compare(times, machine, why, short=""):
    """Raise ``Wrong`` where a time is not what a call takes on this machine."""
    for name, seconds in machine.seconds.items():
        if abs(times[name] / seconds - 1) > 0.05:
            raise Wrong(
                f"On this machine, a call of `{name}` takes {1e3 * seconds:.2f} ms. Your number is "
                f"{1e3 * times[name]:.2f} ms. {short if short and times[name] < seconds else why}"
            )


def check_compile_time(work: Work):
    """The returned times contain no compile time, even with batches of two sizes."""
    times, machine = _run(work)
    worst = max(times[name] - seconds for name, seconds in machine.seconds.items())
    _compare(
        times,
        machine,
        f"There were {machine.compiles} compiles, which take {COMPILE:.0f} s each: one for the first batch, and one "
        "for the last batch, which is smaller. When do they have to happen?"
        if worst > COMPILE / 100
        else "Your number includes other work: read the clock just before and just after a call.",
        "The machine has its own clock: read the time with `clock`.",
    )


def check_gpu(work: Work):
    """On a GPU, each time covers all the work of its own call and no other work."""
    times, machine = _run(work, gpu=True)
    slack = {name: 1.01 * seconds for name, seconds in machine.seconds.items()}
    machine.seconds = slack
    _compare(
        times,
        machine,
        "Work from other calls, such as the warm-up, was still queued when the clock was read first: wait for it.",
        "A call returns as soon as its work is queued. What has to happen before the clock is read again?",
    )


def check_pauses(work: Work):
    """The times are right even if another program interrupts every fifth call."""
    times, machine = _run(work, pauses=True)
    _compare(
        times,
        machine,
        "Every fifth call was interrupted for 50 ms. A mean takes these calls into account. Which statistic "
        "isn't affected, as long as fewer than half of the calls are interrupted?",
    )


def check_gradients(work: Work):
    """The times are measured in inference, without gradients."""
    times, machine = _run(work, gradients=True)
    _compare(
        times,
        machine,
        "The calls ran with gradients on. They kept tensors for a backward pass that never came, which takes 50% more "
        "time on this machine, and the compiled function was compiled for training.",
    )
    require(torch.is_grad_enabled(), "`benchmark` leaves gradients off. Its caller may want to train afterward.")


def check_turns(work: Work):
    """The ratio of the times is right even if the machine gets slower with each call."""
    times, machine = _run(work, slows=True)
    ratio, right = (values["eager"] / values["compiled"] for values in (times, machine.seconds))
    if abs(ratio / right - 1) > 0.03:
        raise Wrong(
            f"At any moment, eager mode takes {right:.2f} times as long as compiled code. Your ratio is {ratio:.2f}. "
            "The machine gets slower while you measure, and the function that is measured last pays for it. In which "
            "order would each slow moment affect both functions?"
        )
