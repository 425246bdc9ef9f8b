"""The decoder under a backend that treats memory on the CPU as the replay of a CUDA graph treats it on a GPU."""

import torch

from compile_lessons.labs import Work, Wrong, require

torch.set_num_threads(1)  # so that other programs on this machine disturb less

STEPS = 8


class Replay:
    """A backend whose graphs run on inputs and outputs at fixed addresses.

    An ordinary input is copied to where the input was at the recording. Results are copied to where they were then.
    Only parameters and buffers are used where they are. Each combination of sizes and numbers is a recording.
    ``passed_on`` says that an output was an input later: a call begins a new step, and torch refuses the tensor then.
    """

    def __init__(self):
        self.graphs, self.recordings, self.changed, self.passed_on = 0, 0, [], False
        self.addresses = set()

    def __call__(self, module, examples):
        self.graphs += 1
        names = [node.name for node in module.graph.nodes if node.op == "placeholder"]
        static = [_is_static(node) for node in module.graph.nodes if node.op == "placeholder"]
        recordings = {}

        def replay(*inputs):
            self.passed_on |= not self.addresses.isdisjoint(map(_address, inputs))
            key = tuple(value.shape if isinstance(value, torch.Tensor) else value for value in inputs)
            if key not in recordings:
                self.recordings += 1
                own = [_own(value, keep) for value, keep in zip(inputs, static, strict=True)]
                recordings[key] = own, [_own(value) for value in module(*map(_own, inputs))]
            fixed, outputs = recordings[key]
            for mine, value, keep in zip(fixed, inputs, static, strict=True):
                if isinstance(value, torch.Tensor) and not keep:
                    mine.copy_(value)
            versions = [getattr(value, "_version", 0) for value in fixed]
            results = module(*fixed)
            for name, keep, value, version in zip(names, static, fixed, versions, strict=True):
                if not keep and getattr(value, "_version", 0) != version and name not in self.changed:
                    self.changed.append(name)
            at_home = {_address(value) for value, keep in zip(fixed, static, strict=True) if keep}
            for number, result in enumerate(results):
                if not isinstance(result, torch.Tensor) or _address(result) in at_home:
                    outputs[number] = result  # a buffer that was changed in place
                else:
                    outputs[number].copy_(result)
                    self.addresses.add(_address(outputs[number]))
            return outputs

        return replay


def _address(value):
    return value.untyped_storage().data_ptr() if isinstance(value, torch.Tensor) else None


def _own(value, keep=False):
    return value if keep or not isinstance(value, torch.Tensor) else value.detach().clone()


def _is_static(node):
    """Say whether Inductor takes a tensor's address for fixed: it asks Dynamo, which marks parameters and buffers."""
    return "_dynamo_static_input_type" in node.meta.get("tensor_dict", {})


def _expected(model, x):
    """Return what the original generates with this model's weights."""
    keys, values, results = [], [], []
    for _ in range(STEPS):
        q, k, v = (model.qkv.weight @ x).chunk(3)
        keys.append(k)
        values.append(v)
        x = x + model.out.weight @ (torch.softmax(torch.stack(keys) @ q / 4, 0) @ torch.stack(values))
        results.append(x)
    return torch.stack(results)


def _replayed(work, model, x):
    """Return what ``generate`` returns for the compiled model, and the backend with its counts."""
    torch.compiler.reset()
    replay = Replay()
    return work.generate(torch.compile(model, backend=replay), x, STEPS), replay


def _model(work):
    return work.Decoder(), torch.randn(16)


def check_eager(work: Work):
    """In eager mode, `generate` returns what the original returns, also when you call it a second time."""
    model, x = _model(work)
    for start, time in ((x, "first"), (torch.randn(16), "second")):
        result = work.generate(model, start, STEPS)
        require(isinstance(result, torch.Tensor), "`generate` has to return one tensor with the results of all steps.")
        work.same(result, _expected(model, start).detach(), f"What `generate` returns in eager mode, the {time} time,")


def check_the_arguments(work: Work):
    """The compiled graph changes no ordinary input in place."""
    _, replay = _replayed(work, *_model(work))
    require(
        replay.graphs,
        "Nothing was compiled: `generate` has to call `model`, which the checks compile, in each step.",
        "pipeline/module",
    )
    if replay.changed:
        raise Wrong(
            f"The graph changes an input in place: {', '.join(f'`{name}`' for name in replay.changed)}. On a GPU, "
            "torch says `skipping cudagraphs due to mutated inputs`, and the model runs without CUDA graphs: a replay "
            "works on a copy of the input at a fixed address, so your tensor would not see the change. Which tensors "
            "of a module keep their address?"
        )


def check_the_recordings(work: Work):
    """One recording serves every position."""
    _, replay = _replayed(work, *_model(work))
    if replay.recordings > 1:
        raise Wrong(
            f"{STEPS} steps need {replay.recordings} recordings, in {replay.graphs} graphs. A recording works for "
            "fixed sizes and fixed numbers only: a different Python number, or a slice of a different size, needs a "
            "new recording. Where can you keep a position so that the graph reads it from memory? Which operation "
            "ignores later tokens without changing a size?"
        )


def check_the_outputs(work: Work):
    """When replayed, `generate` returns the results of all steps, and uses no output after its own step."""
    model, x = _model(work)
    result, replay = _replayed(work, model, x)
    expected = _expected(model, x).detach()
    same = [step for step in range(STEPS - 1) if torch.equal(result[step], result[-1])]
    if same:
        raise Wrong(
            f"{len(same)} of {STEPS} results are equal to the last one. A replay writes its output to the same address "
            "each time, and these results still point to it: on a GPU, torch raises `accessing tensor output of "
            "CUDAGraphs that has been overwritten by a subsequent run`. What do you keep from each step?"
        )
    require(
        not replay.passed_on,
        "An output of one call is passed on to the next call without a copy. A call begins a new step, in which "
        "outputs of the previous step are no longer valid, not even as inputs: on a GPU, torch raises "
        "`accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run`. When do you have to "
        "copy?",
    )
    work.same(result, expected, "What `generate` returns for the replayed model")
