"""Symbols with loops and branches, for the original and for us: name -> (function of mx, arrays by name)."""


def foreach(mx):
    w = mx.sym.var("w")
    outputs, states = mx.sym.contrib.foreach(
        lambda x, s: (x * w + s[0], [x * s[0]]), mx.sym.var("data"), [mx.sym.var("e")]
    )
    return mx.sym.Group([outputs, *states])


def foreach_of_computed_data(mx):
    data = mx.sym.var("data") * 2
    outputs, states = mx.sym.contrib.foreach(lambda x, s: (x + s, s + 1), data, mx.sym.var("e") + 1)
    return mx.sym.Group([outputs, states])


def while_loop(mx):
    w = mx.sym.var("w")
    outputs, variables = mx.sym.contrib.while_loop(
        lambda i, s: i < 5,
        lambda i, s: ([s + i], [i + 1, s + i + w]),
        [mx.sym.var("i"), mx.sym.var("s")],
        max_iterations=7,
    )
    return mx.sym.Group(outputs + variables)


def cond(mx):
    d, e, w = mx.sym.var("d"), mx.sym.var("e"), mx.sym.var("w")
    return mx.sym.contrib.cond(d < 5, lambda: w * 2, lambda: e + w)


def cond_other(mx):
    d, e, w = mx.sym.var("d"), mx.sym.var("e"), mx.sym.var("w")
    return mx.sym.contrib.cond(d > 5, lambda: w * 2, lambda: e + w)


SYMBOLS = {
    "foreach": (foreach, {"data": [[1, 2], [3, 4]], "e": [1, 1], "w": [2, 3]}),
    "foreach_of_computed_data": (foreach_of_computed_data, {"data": [[1, 2], [3, 4]], "e": [1, 1]}),
    "while_loop": (while_loop, {"i": [0], "s": [1], "w": [0.5]}),
    "cond": (cond, {"d": [1], "e": [3], "w": [2]}),
    "cond_other": (cond_other, {"d": [1], "e": [3], "w": [2]}),
}
