"""Change a setting of torch: which field of GLOBAL_STATE differs, and does the next call recompile?"""

import json

import torch._dynamo.testing

from compile_lessons import Table, show


def state():  # private: the C++ object that the guard compares
    return json.loads(torch._C._dynamo.guards.GlobalStateGuard().__getstate__())


x, rows, matmul, override = torch.ones(4), [], torch.backends.cuda.matmul, torch._C.DisableTorchFunction()
settings = {
    "gradients off": (torch.set_grad_enabled, False, True),
    "autocast on": (lambda on: torch.set_autocast_enabled("cpu", on), True, False),
    "autocast's dtype, while it is off": (lambda t: torch.set_autocast_dtype("cpu", t), torch.half, torch.bfloat16),
    "float64 as default": (torch.set_default_dtype, torch.float64, torch.float32),
    "deterministic, warn_only": (torch.set_deterministic_debug_mode, 1, 0),
    "TF32 in matmuls": (torch.set_float32_matmul_precision, "high", "highest"),
    "no float16 sums": (lambda on: setattr(matmul, "allow_fp16_reduced_precision_reduction", on), False, True),
    "no bfloat16 sums": (lambda on: setattr(matmul, "allow_bf16_reduced_precision_reduction", on), False, True),
    "a different number of threads": (torch.set_num_threads, torch.get_num_threads() + 1, torch.get_num_threads()),
    "no __torch_function__": (lambda off: override.__enter__() if off else override.__exit__(), True, False),
    "a different default device": (torch.set_default_device, "meta", None),
    "a different random seed": (torch.manual_seed, 1, 2),
    "no flash attention": (torch.backends.cuda.enable_flash_sdp, False, True),
}
for name, (change, other, usual) in settings.items():
    torch.compiler.reset()
    compiled = torch.compile(lambda x: x + 1, backend=(counter := torch._dynamo.testing.CompileCounter()))
    compiled(x)
    before = state()
    change(other)
    compiled(x)
    fields = [field for field, value in state().items() if value != before[field]]
    change(usual)
    rows.append([name, "yes" if counter.frame_count == 2 else "no", " ".join(fields)])
show(Table(["the second call has", "recompiles", "field that differs"], rows))
# region checks
covered = {field for row in rows for field in row[2].split()}
assert covered == set(state())
assert [row[1] for row in rows] == ["yes", "yes", "no", *["yes"] * 8, "no", "no"]


def count(*contexts):
    torch.compiler.reset()
    compiled = torch.compile(lambda x: x + 1, backend=(counter := torch._dynamo.testing.CompileCounter()))
    for context in contexts:
        with context:
            compiled(x)
    return counter.frame_count


same, half = torch.autocast("cpu", torch.bfloat16), torch.autocast("cpu", torch.half)
assert count(same, half) == 2
assert count(torch.enable_grad(), torch.no_grad(), torch.inference_mode(), torch.enable_grad()) == 3
for module, setting, on in ((torch.backends.cudnn, "benchmark", True), (torch.backends.cudnn, "allow_tf32", False)):
    torch.compiler.reset()
    compiled = torch.compile(lambda x: x + 1, backend=(counter := torch._dynamo.testing.CompileCounter()))
    compiled(x)
    setattr(module, setting, on)
    compiled(x)
    setattr(module, setting, not on)
    assert counter.frame_count == 1
torch.set_float32_matmul_precision("high")
torch.compiler.reset()
compiled = torch.compile(lambda x: x + 1, backend=(counter := torch._dynamo.testing.CompileCounter()))
compiled(x)
torch.set_float32_matmul_precision("medium")
compiled(x)
assert counter.frame_count == 1
# endregion
