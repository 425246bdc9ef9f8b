"""Many small weights are rounded, by calls of a compiled function with two operations."""

# options: --compare eager
import torch

torch.set_num_threads(1)


@torch.compile  # finding: slower-than-eager
def rounded(weight, scale):
    return (weight / scale).round()


weights = [torch.randn(4, 4) for _ in range(3000)]
scale = torch.tensor(0.05)
quantized = [rounded(weight, scale) for weight in weights]
print(f"largest {torch.stack(quantized).max():.5f}")
