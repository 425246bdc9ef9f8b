# /// lesson
# needs = ["peers"]
# ///
"""Softmax in JAX: jaxpr, StableHLO, and XLA's optimized HLO."""

import re

import jax
import jax.numpy as jnp


def softmax(x):
    exps = jnp.exp(x - x.max(-1, keepdims=True))
    return exps / exps.sum(-1, keepdims=True)


x = jnp.ones((64, 128))
print(jax.make_jaxpr(softmax)(x), end="\n\n")
lowered = jax.jit(softmax).lower(x)
print(lowered.as_text())
optimized = lowered.compile().as_text()
places = re.compile(r", (?:metadata|backend_config)=\{(?:[^{}]|\{[^{}]*\})*\}")
layouts = re.compile(r"(?<=\]){[\d,]+}")
optimized = places.sub("", optimized)
optimized = layouts.sub("", optimized[optimized.index("\n%") :])
print(optimized.strip())
# region checks
entry = optimized[optimized.index("\nENTRY") :]
fusions = entry.count(" fusion(")
assert fusions >= 2 and "reduce(" not in entry
# endregion
