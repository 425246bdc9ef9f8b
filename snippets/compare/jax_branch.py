# /// lesson
# needs = ["peers"]
# raises = {type = "TracerBoolConversionError", message = "boolean conversion"}
# ///
"""A branch on data in JAX: lax.cond keeps both branches, an if is an error."""

import jax
import jax.numpy as jnp


def branch_cond(x):
    return jax.lax.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, x)


@jax.jit
def branch(x):
    if x.sum() > 0:
        return x * 2
    return x - 1


print(jax.make_jaxpr(branch_cond)(jnp.ones(4)), end="\n\n")
branch(jnp.ones(4))
