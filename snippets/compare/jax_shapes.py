# /// lesson
# needs = ["peers"]
# ///
"""Four sizes in JAX: jax.jit traces each, jax.export takes a symbolic size."""

import jax
import jax.numpy as jnp
from jax import export


def center(x):
    traced.append(x.shape)
    return (x - x.mean(0)) * x.shape[0]


traced = []
jitted = jax.jit(center)
for size in (4, 5, 6, 7, 4):
    jitted(jnp.ones((size, 8)))
print("jax.jit traced", traced)

traced = []
(rows,) = export.symbolic_shape("rows")
exported = export.export(jax.jit(center))(jax.ShapeDtypeStruct((rows, 8), jnp.float32))
results = [exported.call(jnp.ones((size, 8))).shape for size in (4, 5, 6, 7)]
print("jax.export traced", traced, "and served", results)
# region checks
assert results == [(4, 8), (5, 8), (6, 8), (7, 8)]
assert len(traced) == 1
# endregion
