"""Distributions with valid parameters, in compiled code and outside, and one that is not checked on purpose."""

import torch
from torch.distributions import Categorical, MultivariateNormal, Normal


@torch.compile(backend="aot_eager", fullgraph=True)
def log_prob(mean, x):
    return Normal(mean, 1.0).log_prob(x).sum()


for _ in range(5):
    mean = torch.randn(4)
    score = log_prob(mean, mean + 1)
    score += Categorical(logits=mean).entropy() + MultivariateNormal(mean, torch.eye(4)).log_prob(mean)
Normal(0.0, torch.tensor(-1.0), validate_args=False)
