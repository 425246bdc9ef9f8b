"""``explain`` keeps what the file itself compiles, and the ways in which the file calls it."""

import subprocess
import sys

import pytest
import torch
import typer
from typer.testing import CliRunner

from compile_lessons.commands.explain import explain
from compile_lessons.facts import Pipeline

app = typer.Typer()
app.command()(explain)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Write a file and explain a name in it: ``run("file.py:name", text, *options)``."""
    monkeypatch.chdir(tmp_path)
    torch._dynamo.reset()
    limit = torch._dynamo.config.recompile_limit

    def explained(what, text, *options):
        (tmp_path / what.partition(":")[0]).write_text(text)
        return CliRunner().invoke(app, [what, *options])

    yield explained
    torch._dynamo.config.recompile_limit = limit


def line(result, number):
    return result.output.splitlines()[number]


SERVICE = """
import threading
import torch

torch._dynamo.config.recompile_limit = 64

@torch.compile(dynamic=False, backend="eager")
def embed(tokens):
    return torch.cumsum(tokens, 0)

@torch.compile(dynamic=False, recompile_limit=64, backend="eager")
def fixed(tokens):
    return torch.cumsum(tokens, 0)

def calls():
    return [torch.ones(n, 4) for n in range(2, 14)]

def serve():
    for tokens in calls():
        embed(tokens)
        fixed(tokens)

if __name__ == "__main__":
    threading.Thread(target=serve).start()
"""


@pytest.mark.skipif(torch.__version__ < "2.12", reason="settings reach other threads before torch 2.12")
def test_a_limit_that_a_thread_does_not_have(run):
    result = run("service.py:embed", SERVICE, "--calls", "calls")
    assert line(result, 0) == "embed is compiled with dynamic=False, backend='eager', as service.py:7 does"
    assert line(result, 1) == "called in a new thread, as service.py:24 does"
    setting = "torch._dynamo.config.recompile_limit is 64 in the main thread and 8 in the new one"
    assert line(result, 2).startswith(setting)
    assert "compile 1, recompile 7, eager 4; 12 of 12" in line(result, 4)
    assert "call 8, eager: Dynamo recompile limit exceeded" in result.output


@pytest.mark.skipif(torch.__version__ < "2.12", reason="torch.compile takes recompile_limit from torch 2.12 on")
def test_a_limit_of_the_compile_itself(run):
    result = run("service.py:fixed", SERVICE, "--calls", "calls")
    assert "recompile_limit=64" in line(result, 0) and "compile 1, recompile 11; 12 of 12" in result.output


ROUNDED = """
import torch

class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.round()

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, grad):
        return grad

def loss(w, x):
    return ((Rounded.apply(w) * x) ** 2).sum()

def without_a_class(w, x):
    return (((w + (w.round() - w).detach()) * x) ** 2).sum()

step = torch.func.grad(loss)
fixed = torch.func.grad(without_a_class)

def make_inputs():
    return torch.tensor([0.3, 1.7, -2.2]), torch.tensor([1.0, 2.0, 3.0])

if __name__ == "__main__":
    print(torch.compile(step, backend="eager")(*make_inputs()))
    print(torch.compile(fixed, backend="eager")(*make_inputs()))
"""


def test_a_wrong_gradient_with_its_stage(run):
    result = run("rounded.py:step", ROUNDED)
    assert result.exit_code == 1
    assert line(result, 0) == "step is compiled with backend='eager', as rounded.py:30 does"
    assert "differs from eager mode in 1 of 1 value" in line(result, 2)
    assert "the first backend that differs is eager (Dynamo)" in result.output
    assert "- applies a `torch.autograd.Function` to the tensor that `torch.func.grad` differ" in result.output
    assert not [text for text in result.output.splitlines() if text.strip() == "fix:"]
    assert run("rounded.py:fixed", ROUNDED).exit_code == 0


HALF = """
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(4, 4)
        self.head = torch.nn.Linear(4, 1)

    def forward(self, x):
        y = self.body(x)
        with torch.autocast("cpu", enabled=False):
            return self.head(y.float())

torch.manual_seed(0)
model = Model()
compiled = torch.compile(model, backend="aot_eager")

def unscaled(x):
    return model(x).sum()

def make_inputs():
    return torch.ones(2, 4)

if __name__ == "__main__":
    with torch.autocast("cpu", dtype=torch.float16):
        y = compiled(make_inputs())
    (y * 65536.0).sum().backward()
"""


@pytest.mark.parametrize("name", ["compiled", "model"])
def test_a_backward_pass_in_half_precision(run, name):
    result = run(f"half.py:{name}", HALF)
    assert result.exit_code == 1
    what = "model" if name == "model" else "Model"  # the name in the text, or the class of what was compiled
    assert line(result, 0) == f"{what} is compiled with backend='aot_eager', as half.py:17 does"
    assert line(result, 1) == "called within torch.autocast('cpu', dtype=torch.float16), as half.py:27 does"
    assert line(result, 2) == "differentiated with gradients scaled by 65,536, as GradScaler does"
    assert "head.weight (-inf instead of" in result.output and "is aot_eager (AOTAutograd)" in result.output
    assert "fix: the part is differentiated in half precision" in result.output


def test_another_function_than_the_file_compiles(run):
    result = run("half.py:unscaled", HALF, "--only", "breaks")
    assert line(result, 0) == "your program differs: it compiles model, and not unscaled (half.py:17)"


GRAPHS = """
from concurrent.futures import ThreadPoolExecutor
import torch

model = torch.nn.Linear(4, 4)
fast = torch.compile(model, mode="reduce-overhead")

@torch.inference_mode()
def answer(x):
    return fast(x)

def make_inputs():
    return torch.ones(2, 4)

if __name__ == "__main__":
    with ThreadPoolExecutor(4) as pool:
        pool.submit(answer, make_inputs())
"""


@pytest.mark.parametrize("name", ["fast", "answer"])
def test_graphs_of_a_gpu_that_is_not_there(run, name, monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    result = run(f"graphs.py:{name}", GRAPHS, "--only", "breaks")
    assert line(result, 0) == "your program differs: on a GPU its mode records CUDA graphs, and there is none here"
    assert line(result, 1) == "Linear is compiled with mode='reduce-overhead', as graphs.py:6 does"
    assert result.output.count("called within torch.inference_mode(), as graphs.py:10") == (name == "fast")
    assert "called in a new thread, as graphs.py:17 does" in result.output


AVERAGE = """
import torch

class Net(torch.nn.Linear):
    def forward(self, x):
        return super().forward(x)

net = Net(4, 4)
average = {name: it.detach().clone() for name, it in net.named_parameters()}
{compile}

def step(x):
    for name, it in net.named_parameters():
        if name in average:
            average[name].lerp_(it.detach() + 1, 0.5)
    return net(x)

def make_inputs():
    return torch.ones(2, 4)
"""


def test_an_average_by_names_that_compiling_changes(run):
    result = run("average.py:step", AVERAGE.replace("{compile}", "net = torch.compile(net, backend='eager')"))
    assert result.exit_code == 1 and "average['weight']" in result.output
    assert "what differs is the module that torch.compile returns" in " ".join(result.output.split())
    assert "the wrapper's names begin with `_orig_mod.`" in result.output
    result = run("fixed_average.py:step", AVERAGE.replace("{compile}", "net.compile(backend='eager')"))
    assert (
        result.exit_code == 0 and line(result, 0) == "Net is compiled with backend='eager', as fixed_average.py:10 does"
    )


BLOCKS = """
import torch

class Block(torch.nn.Module):
    def forward(self, x):
        return (x + 1).relu()

model = torch.nn.Sequential(*(Block() for _ in range(12)))
for block in model:
    block.compile(backend="eager")

def make_inputs():
    return torch.ones(2, 4)
"""


def test_twelve_blocks_keep_their_places(run, tmp_path):
    result = run("blocks.py:model", BLOCKS, "--only", "guards", "--json", "blocks.json")
    assert line(result, 0) == "Block is compiled with backend='eager', as blocks.py:10 does"
    [graph] = Pipeline.from_json((tmp_path / "blocks.json").read_text()).graphs  # which the other blocks run too
    assert len(graph.dynamo.calls) == 2
    result = run("blocks.py:model", BLOCKS, "--only", "guards", "--compile", "fullgraph=True", "--json", "blocks.json")
    assert line(result, 0) == "model is compiled with fullgraph=True, as --compile says"
    [graph] = Pipeline.from_json((tmp_path / "blocks.json").read_text()).graphs
    assert len(graph.dynamo.calls) == 24


def test_options_of_the_command_line_that_are_refused(run):
    assert "--compile 'x' is not understood" in run("blocks.py:model", BLOCKS, "--compile", "x").stderr
    refused = run("blocks.py:model", BLOCKS, "--compile", "mode='x'")
    assert refused.exit_code == 2 and "torch.compile refuses the options of --compile: RuntimeError" in refused.stderr


SCRIPT = """
import sys
import torch

def step(x):
    torch._dynamo.graph_break()
    return x + 1

def other(x):
    return x

def make_inputs():
    return torch.ones(3)

def main():
    device, backend = "cpu", "eager"
    fast = torch.compile(step, dynamic=False, fullgraph="--whole" in sys.argv, backend="eager")
    slow = torch.compile(other, backend=backend)
    with torch.no_grad():
        fast(make_inputs())
    with torch.autocast(device):
        fast(make_inputs())

def no_arguments():
    return ()
"""


def test_what_the_file_compiles_only_as_a_script(run):
    result = run("script.py:step", SCRIPT, "--only", "breaks")
    assert result.output.splitlines()[:3] == [
        "your program differs: it also calls step within torch.autocast(device) (script.py:22)",
        "step is compiled with dynamic=False, backend='eager', as script.py:17 does",
        "called within torch.no_grad(), as script.py:20 does",
    ]
    whole = run("script.py:step", SCRIPT, "--only", "breaks", "--", "--whole")
    assert whole.exit_code == 1 and "fullgraph=True" in line(whole, 1)


def test_a_function_that_compiles_while_it_runs(run):
    result = run("script.py:main", SCRIPT, "--only", "breaks", "--inputs", "no_arguments")
    assert line(result, 0) == "step is compiled with dynamic=False, backend='eager', as script.py:17 does"
    assert result.output.count("break: ") == 2  # for each of the two modes of autograd and autocast


def test_options_that_only_a_run_knows(run):
    result = run("script.py:other", SCRIPT, "--only", "breaks")
    assert (
        line(result, 0) == ("your program differs: it compiles other with options that only a run of the script knows")
        and line(result, 1) == "  (script.py:18)"
    )


SCHEDULE = """
import torch

optimizer = torch.optim.AdamW([torch.ones(4, requires_grad=True)], lr=torch.tensor(1e-3))
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=100)

@torch.compile(backend="eager")
def update():
    optimizer.step()

def calls():
    for parameter in optimizer.param_groups[0]["params"]:
        parameter.grad = torch.ones_like(parameter)
    return [(), schedule.step, (), schedule.step, ()]

def calls_alone():
    return [call for call in calls() if call == ()]
"""


def test_a_scheduler_steps_between_the_calls(run):
    alone = run("schedule.py:update", SCHEDULE, "--calls", "calls_alone").output
    stepped = run("schedule.py:update", SCHEDULE, "--calls", "calls").output
    assert "recompile 1" in stepped and "recompile" not in alone.partition("\n\n")[0]
    assert "betas" in stepped


def test_an_interrupt_in_the_thread_ends_the_command(tmp_path):
    (tmp_path / "wait.py").write_text(
        "import signal, threading, time\n\ndef wait():\n    print('ready', flush=True)\n    time.sleep(60)\n\n"
        "if __name__ == '__main__':\n    threading.Thread(target=wait)\n"
    )
    arguments = [sys.executable, "-m", "compile_lessons", "explain", "wait.py:wait", "--only", "breaks"]
    with subprocess.Popen(arguments, stdout=-1, stderr=-1, text=True, cwd=tmp_path) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(2)
        error = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and error.endswith("error: interrupted\n")
