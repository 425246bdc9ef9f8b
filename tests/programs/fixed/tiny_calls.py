"""Many small weights are rounded, by a compiled function of all of them."""

# options: --compare eager
import torch

torch.set_num_threads(1)


@torch.compile
def rounded(weights, scale):
    return (weights / scale).round()


weights = [torch.randn(4, 4) for _ in range(3000)]
scale = torch.tensor(0.05)
quantized = rounded(torch.stack(weights), scale)
print(f"largest {quantized.max():.5f}")
