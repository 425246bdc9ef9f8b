# /// lesson
# needs = ["peers"]
# ///
"""MLX with shapeless=True: one trace for all sizes, with the first size in it."""

import mlx.core as mx


def center(x):
    traced.append(x.shape)
    return (x - x.mean(0)) * x.shape[0]


def center_by_array(x):
    return (x - x.mean(0)) * mx.ones_like(x).sum(0)


traced = []
shapeless = mx.compile(center, shapeless=True)
for size in (4, 5):
    x = mx.arange(size * 2, dtype=mx.float32).reshape(size, 2)
    right = bool(mx.allclose(shapeless(x), center(x)))
    print(f"{size} rows: right: {right}, first row {shapeless(x)[0].tolist()} instead of {center(x)[0].tolist()}")

fixed = mx.compile(center_by_array, shapeless=True)
fixed(mx.ones((4, 2)))
print("counted in the graph, right:", fixed_right := bool(mx.allclose(fixed(x), center(x))))
# region checks
assert not right and fixed_right
assert traced.count((4, 2)) == 3  # one by mx.compile, two by the calls of center itself
# endregion
