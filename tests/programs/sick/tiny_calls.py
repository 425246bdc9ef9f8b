"""The better of two scales is searched for many small weights, by calls of a function with little work."""

# options: --compare eager
import torch

torch.set_num_threads(1)


@torch.compile  # finding: slower-than-eager
def error(weight, scale):
    return ((weight / scale).round().clamp(-128, 127) * scale - weight).square().sum()


def better_scale(weight):
    largest = weight.abs().max()
    wide, narrow = largest / 127, largest / 140
    return torch.where(error(weight, wide) < error(weight, narrow), wide, narrow)


weights = [torch.randn(4, 4) for _ in range(1000)]
total = sum(better_scale(weight).item() for weight in weights)
print(f"scales {total:.5f}")
