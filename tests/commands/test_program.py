"""``explain`` runs the file, and explains a call that it makes: what it compiles, and what it has around the call."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch
import typer
from typer.testing import CliRunner

from compile_lessons.commands.explain import explain
from compile_lessons.facts import Pipeline

PROGRAMS = Path(__file__).parents[1] / "programs"

app = typer.Typer()
app.command()(explain)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Write a file and explain a name in it: ``run("file.py:name", text, *options)``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    limit = torch._dynamo.config.recompile_limit

    def explained(what, text, *options):
        (tmp_path / what.partition(":")[0]).write_text(text)
        return CliRunner().invoke(app, [what, *options])

    yield explained
    torch._dynamo.config.recompile_limit = limit


def lines(result):
    return result.output.splitlines()


TRAIN = """
import argparse
import torch

class Model(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = torch.nn.Linear(width, 1)

    def forward(self, x):
        return self.body(x).relu()

def loss_of(model, x):
    return model(x).sum()

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, required=True)
    width = parser.parse_args().width
    model = Model(width)
    print("in eager mode", loss_of(model, torch.ones(2, width)).shape)
    step = torch.compile(loss_of, dynamic=False, backend="eager")
    for size in range(2, 6):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = step(model, torch.ones(size, width))
        loss.backward()
    print("at the end")

if __name__ == "__main__":
    main()
"""
WIDTH = ("--", "--width", "4")
OPTIONS = "loss_of is compiled with dynamic=False, backend='eager', as train.py:22 does"
PLACE = "called within autocast('cpu', torch.bfloat16), as train.py:25 does"


@pytest.mark.parametrize(("name", "number", "size"), [("loss_of", 1, 2), ("step", 3, 4)])
def test_a_training_script_ends_at_the_call(run, tmp_path, name, number, size):
    options = ["--call", str(number), "--only", "guards", "--json", "out.json", *WIDTH]
    result = run(f"train.py:{name}", TRAIN, *options)
    assert lines(result)[:3] == ["in eager mode torch.Size([])", OPTIONS, PLACE], result.output
    assert "at the end" not in result.output
    [graph] = Pipeline.from_json((tmp_path / "out.json").read_text()).graphs
    assert f"float32[{size}, 4]" in str(graph.dynamo)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("Model", WIDTH, "train.py ends without a call that compiles Model; its first call is at train.py:14: "),
        ("Model.forward", WIDTH, "Fix: add --compile '' to compile that call, or add a function make_inputs"),
        ("step", ("--call", "5", *WIDTH), "train.py compiles step in 4 calls: there is no call 5"),
        ("step", (), "SystemExit: 2\n  at {folder}/train.py:19: "),
        ("stop", WIDTH, "train.py has no 'stop'; did you mean step?"),
        ("argparse", WIDTH, "train.py ends without a call that compiles argparse; it compiles loss_of (train.py:22: "),
        ("step", ("--inputs", "no_inputs", *WIDTH), "train.py has no 'no_inputs'"),
        ("step", ("--call", "0", *WIDTH), "Invalid value for '--call'"),
    ],
)
def test_what_is_not_called(run, tmp_path, name, options, message):
    result = run(f"train.py:{name}", TRAIN, "--only", "breaks", *options)
    assert result.exit_code == 2 and message.format(folder=tmp_path) in result.stderr, result.output


EAGER = """
import torch

def step(x):
    torch._dynamo.graph_break()
    return x + 1

with torch.no_grad():
    step(torch.ones(3))
"""


def test_a_program_that_compiles_nothing(run):
    result = run("eager.py:step", EAGER, "--only", "breaks")
    assert result.exit_code == 2 and "its first call is at eager.py:9: step(torch.ones(3))" in result.stderr
    assert "Fix: add --compile '' to compile that call" in result.stderr
    result = run("eager.py:step", EAGER, "--only", "breaks", "--compile", "")
    assert lines(result)[:2] == [
        "step is compiled with default options, as --compile says",
        "called within no_grad(), as eager.py:9 does",
    ]
    assert "break: " in result.output


def test_options_of_the_command_line_that_are_refused(run):
    assert "--compile 'x' is not understood" in run("eager.py:step", EAGER, "--compile", "x").stderr
    refused = run("eager.py:step", EAGER, "--compile", "mode='x'")
    assert refused.exit_code == 2 and "torch.compile refuses the options of --compile: RuntimeError" in refused.stderr


NAMES = """
import torch

class Net(torch.nn.Linear):
    def forward(self, x):
        return super().forward(x)

class Trainer:
    def __init__(self):
        self.net = Net(4, 4)
        self.net.compile(backend="eager")
        self.fast = torch.compile(self.plain, backend="eager")

    def plain(self, x):
        return x * 2

    def step(self, x):
        return self.net(x).sum() + self.decorated(x).sum()

    @torch.compile(backend="eager")
    def decorated(self, x):
        return x + 1

def main():
    trainer = Trainer()
    trainer.step(torch.ones(2, 4))
    trainer.fast(torch.ones(3))
    twice = torch.compile(lambda x: x * 2, backend="eager")
    twice(torch.ones(3))
    model = torch.compile(torch.nn.Sequential(torch.nn.Linear(4, 4)), backend="eager")
    model(torch.ones(4))
    schedule()

def schedule():
    optimizer = torch.optim.SGD([torch.ones(4, requires_grad=True)], lr=torch.tensor(1.0))
    torch.optim.lr_scheduler.StepLR(optimizer, 2)
    update = torch.compile(optimizer.step, backend="eager")
    torch.compile(torch.nn.Linear(4, 4), backend="eager")(torch.ones(4))
    update()

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("name", "what", "line"),
    [
        ("Net", "Net", 18),
        ("Net.forward", "Net", 18),
        ("self.net", "Net", 18),
        ("trainer.net", "Net", 18),
        ("Trainer.step", "Net", 26),
        ("trainer.step", "Net", 26),
        ("Trainer.decorated", "Trainer.decorated", 18),
        ("Trainer.plain", "Trainer.plain", 27),
        ("trainer.fast", "Trainer.plain", 27),
        ("twice", "main.<locals>.<lambda>", 29),
        ("model", "Sequential", 31),
        ("update", "SGD.step", 39),
        ("main", "Net", 42),
    ],
)
def test_names(run, name, what, line):
    """Of what is compiled, or of what calls it: a local variable, an attribute, a method, a class, a function."""
    result = run(f"names.py:{name}", NAMES, "--only", "breaks")
    assert lines(result)[0].startswith(f"{what} is compiled with backend='eager', as names.py:"), result.output
    assert f"called, as names.py:{line} does" in lines(result)


SERVICE = """
import threading
import torch

torch._dynamo.config.recompile_limit = 64

@torch.compile(dynamic=False, backend="eager")
def embed(tokens):
    return torch.cumsum(tokens, 0)

def calls():
    return [torch.ones(n, 4) for n in range(2, 14)]

def serve():
    for tokens in calls():
        embed(tokens)

if __name__ == "__main__":
    threading.Thread(target=serve).start()
"""


@pytest.mark.skipif(torch.__version__ < "2.12", reason="settings reach other threads before torch 2.12")
def test_a_limit_that_a_thread_does_not_have(run):
    result = run("service.py:embed", SERVICE, "--call", "2", "--calls", "calls")
    assert lines(result)[:2] == [
        "embed is compiled with dynamic=False, backend='eager', as service.py:7 does",
        "called in a new thread, as service.py:16 does",
    ]
    setting = "torch._dynamo.config.recompile_limit is 64 in the thread that starts it and 8 in the new one"
    assert lines(result)[2].startswith(setting)
    assert "compile 1, recompile 7, eager 4; 12 of 12" in lines(result)[4]
    assert "call 8, eager: Dynamo recompile limit exceeded" in result.output
    imported = run("service.py:embed", SERVICE, "--calls", "calls")
    assert "compile 1, recompile 11; 12 of 12" in imported.output and "thread" not in imported.output


#: What would end each program in another way, or never: it follows the call, or is in another thread.
ENDLESS = {
    "step": TRAIN.replace("    main()", "    try:\n        main()\n    finally:\n        1 / 0"),
    "embed": SERVICE.replace('__main__":', '__main__":\n    threading.Thread(target=threading.Event().wait).start()'),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_the_process_ends_at_the_call(tmp_path, name):
    (tmp_path / "program.py").write_text(ENDLESS[name])
    command = [sys.executable, "-m", "compile_lessons", "explain", f"program.py:{name}", "--only", "breaks", *WIDTH]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.endswith("no graph breaks\n")


def sick(name):
    return (PROGRAMS / "sick" / f"{name}.py").read_text()


def test_a_wrong_gradient_with_its_stage(run):
    result = run("rounded.py:gradient", sick("dropped_backward"))
    assert result.exit_code == 1
    assert lines(result)[0] == "gradient is compiled with default options, as rounded.py:25 does"
    assert "differs from eager mode in 1 of 1 value" in lines(result)[3]
    assert "the first backend that differs is eager (Dynamo)" in result.output
    assert "- applies a `torch.autograd.Function` to the tensor that `torch.func.grad` differ" in result.output
    assert not [text for text in result.output.splitlines() if text.strip() == "fix:"]


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

def make_inputs():
    return torch.ones(2, 4)

if __name__ == "__main__":
    model(make_inputs())
    with torch.autocast("cpu", dtype=torch.float16):
        y = compiled(make_inputs())
    (y * 65536.0).sum().backward()
"""


@pytest.mark.parametrize("name", ["compiled", "model"])
def test_a_backward_pass_in_half_precision(run, name):
    """The program's own call comes before ``make_inputs``, and its backward pass is outside of autocast."""
    result = run(f"half.py:{name}", HALF)
    assert result.exit_code == 1
    assert lines(result)[:3] == [
        "Model is compiled with backend='aot_eager', as half.py:17 does",
        "called within autocast('cpu', torch.float16), as half.py:25 does",
        "differentiated with gradients scaled by 65,536, as GradScaler does",
    ]
    assert "head.weight (-inf instead of" in result.output and "is aot_eager (AOTAutograd)" in result.output
    assert "the part is differentiated in half precision" in " ".join(result.output.split())
    assert "fix: enter autocast inside the function" in result.output


GRAPHS = """
from concurrent.futures import ThreadPoolExecutor
import torch

model = torch.nn.Linear(4, 4)
fast = torch.compile(model, mode="reduce-overhead")

@torch.inference_mode()
def answer(x):
    return fast(x)

if __name__ == "__main__":
    with ThreadPoolExecutor(4) as pool:
        pool.submit(answer, torch.ones(2, 4))
"""


def test_graphs_of_a_gpu_that_is_not_there(run, monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    result = run("graphs.py:answer", GRAPHS, "--only", "breaks")
    assert lines(result)[:2] == [
        "your program differs: on a GPU its mode records CUDA graphs, and there is none here",
        "Linear is compiled with mode='reduce-overhead', as graphs.py:6 does",
    ]
    assert "called in a new thread within inference_mode()" in lines(result)[2]


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
"""
INPUTS = "\n\ndef make_inputs():\n    return torch.ones(2, 4)\n"


def test_an_average_by_names_that_compiling_changes(run):
    text = AVERAGE.replace("{compile}", "net = torch.compile(net, backend='eager')")
    result = run("average.py:step", f"{text}\nstep(torch.ones(2, 4))\n")
    assert result.exit_code == 1 and "average['weight']" in result.output
    assert "what differs is the module that torch.compile returns" in " ".join(result.output.split())
    assert "the wrapper's names begin with `_orig_mod.`" in " ".join(result.output.split())
    text = AVERAGE.replace("{compile}", "net.compile(backend='eager')")
    result = run("fixed_average.py:step", f"{text}{INPUTS}")  # which the file doesn't call
    assert result.exit_code == 0 and "the arguments come from make_inputs" in result.output
    assert lines(result)[0] == "Net is compiled with backend='eager', as fixed_average.py:10 does"


def test_a_counter_changed_in_forward_gives_other_gradients(run):
    result = run("counter.py:Scaled", sick("counted_steps"))
    assert result.exit_code == 1 and "body.bias, body.weight" in result.output
    assert "a counter, and computes with it in training: the gradient is that" in " ".join(result.output.split())


BLOCKS = """
import torch

class Block(torch.nn.Module):
    def forward(self, x):
        return (x + 1).relu()

model = torch.nn.Sequential(*(Block() for _ in range(12)))
for block in model:
    block.compile(backend="eager")
"""


def test_twelve_blocks_keep_their_places(run, tmp_path):
    call = f"{BLOCKS}\nmodel(torch.ones(2, 4))\n"
    result = run("blocks.py:model", call, "--only", "guards", "--json", "blocks.json")
    assert lines(result)[0] == "Block is compiled with backend='eager', as blocks.py:10 does"
    [graph] = Pipeline.from_json((tmp_path / "blocks.json").read_text()).graphs  # which the other blocks run too
    assert len(graph.dynamo.calls) == 2
    result = run("blocks.py:model", call, "--only", "guards", "--compile", "fullgraph=True", "--json", "blocks.json")
    assert lines(result)[0] == "model is compiled with fullgraph=True, as --compile says"
    [graph] = Pipeline.from_json((tmp_path / "blocks.json").read_text()).graphs
    assert len(graph.dynamo.calls) == 24


def test_a_file_with_arguments_that_compiles_nothing_is_imported(run):
    text = f"import torch\n\ndef f(x):\n    return x\n{INPUTS}\nif __name__ == '__main__':\n    raise ValueError\n"
    assert run("alone.py:f", text, "--only", "breaks").exit_code == 0
    assert "ValueError" in run("alone.py:f", text, "--only", "breaks", "--call", "1").stderr


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


def test_a_file_in_a_package_runs_as_a_part_of_it(run, tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    (tmp_path / "package" / "other.py").write_text("def double(x):\n    return x * 2\n")
    text = "import torch\nfrom .other import double\n\ntorch.compile(double, backend='eager')(torch.ones(2))\n"
    result = run("package/train.py:double", text, "--only", "breaks")
    assert lines(result)[0] == "double is compiled with backend='eager', as train.py:4 does", result.output


@pytest.mark.parametrize("in_thread", [False, True])
def test_an_interrupt_ends_the_command(tmp_path, in_thread):
    call = "threading.Thread(target=wait).start()" if in_thread else "wait()"
    (tmp_path / "wait.py").write_text(
        "import threading, time\n\ndef wait():\n    print('ready', flush=True)\n    time.sleep(60)\n\n" + call
    )
    options = ["wait.py:wait", "--only", "breaks", "--compile", ""]
    arguments = [sys.executable, "-m", "compile_lessons", "explain", *options]
    with subprocess.Popen(arguments, stdout=-1, stderr=-1, text=True, cwd=tmp_path) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(2)
        error = process.communicate(timeout=50)[1]
    assert process.returncode == 130 and error.startswith("error: interrupted")
