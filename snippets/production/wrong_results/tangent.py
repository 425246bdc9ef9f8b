"""The incoming gradient is copied into a tensor whose rows overlap."""

import torch

incoming = torch.arange(12.0).view(4, 3)
copied = torch.empty_strided((4, 3), (1, 1))  # the strides of the windows
copied.copy_(incoming)
print(f"incoming:\n{incoming}\n\nafter the copy:\n{copied}")

# region checks
assert copied.unique().numel() == 6
# endregion
