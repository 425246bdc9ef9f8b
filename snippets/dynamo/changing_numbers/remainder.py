"""A fraction of a period raises an error in the second call, and the fix."""

import torch


def scale_by_fraction(x, step):
    return x * ((step % 4) / 4)


def scale_and_divide(x, step):
    return x * (step % 4) / 4


x = torch.ones(3)
compiled = torch.compile(scale_by_fraction, backend="aot_eager")
print("step 5:", compiled(x, 5))
try:
    compiled(x, 6)
except torch._dynamo.exc.BackendCompilerFailed as error:
    cause = str(error).splitlines()[1]
    print("step 6:", cause)

fixed = torch.compile(scale_and_divide, backend="aot_eager")
print("step 5, fixed:", fixed(x, 5))
print("step 6, fixed:", fixed(x, 6))

# region checks
assert cause.startswith("AttributeError: type object 'TensorReferenceAnalysis' has no")
assert cause.endswith("'python_mod'")
for step in (5, 6):
    assert torch.equal(fixed(x, step), scale_by_fraction(x, step))
# endregion
