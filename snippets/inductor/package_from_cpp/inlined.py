# /// lesson
# needs = ["compiler"]
# ///
"""Small parameters become numbers in the code of a package, and can't be replaced."""

import tempfile
import warnings

import torch
from torch import nn
from torch._inductor import (  # documented, although the name looks private
    aoti_compile_and_package,
    aoti_load_package,
    config,
)

warnings.simplefilter("ignore")
config.aot_inductor.precompile_headers = False  # worth it for several packages only
config.aot_inductor.compile_wrapper_opt_level = "O0"  # compiles in less time


# region classifier
class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(16, 9)
        self.classes = nn.Linear(9, 8)
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, x):
        return self.classes(self.hidden(x)) * self.scale


model = Classifier().eval()
x = torch.randn(4, 16)
exported = torch.export.export(model, (x,))
path = aoti_compile_and_package(exported, package_path=f"{tempfile.mkdtemp()}/it.pt2")
package = aoti_load_package(path)
names = package.get_constant_fqns()
for name, parameter in model.named_parameters():
    print(f"{name} {list(parameter.shape)}:", "weight" if name in names else "number")

trained = {name: tensor + 1 for name, tensor in model.state_dict().items()}
try:
    package.load_constants(trained, check_full_update=True)
except RuntimeError as error:
    print(error)
known = {name: tensor for name, tensor in trained.items() if name in names}
package.load_constants(known, check_full_update=True)
model.load_state_dict(trained)
print("like the model:", torch.allclose(package(x), model(x), atol=1e-4))
# endregion
# region checks
assert sorted(names) == ["classes.weight", "hidden.bias", "hidden.weight"]
assert not torch.allclose(package(x), model(x), atol=1e-4)
# endregion
