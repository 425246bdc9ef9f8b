"""A policy falls back to wide noise where its own scale is invalid, which it learns from ValueError."""

import torch


@torch.compile(backend="aot_eager")
def policy(x):
    return x.sum(1), x.min(1).values


def action(x):
    mean, scale = policy(x)
    try:
        noise = torch.distributions.Normal(mean, scale)  # finding: unchecked-distribution
    except ValueError:
        noise = torch.distributions.Normal(mean, torch.ones_like(mean))
    return noise.log_prob(mean)


for step in range(5):
    print(f"step {step}: {action(torch.full((3, 4), 2.0 - step)).mean():.3f}")
