"""Random programs: ``program(kind, seed)`` is always the same list of steps for the same kind and seed.

A kind is a class with a method for each sort of step, ``step_*``; how often one is chosen is in ``weights`` (1 if
absent).
"""

import random


class Generator:
    """What all kinds share: names, choices, the steps so far."""

    length = (8, 20)
    weights: dict[str, float] = {}

    def __init__(self, seed):
        self.random = random.Random(f"{type(self).__name__} {seed}")
        self.steps = []
        self._names = 0

    def program(self):
        """All steps of a program."""
        self.start()
        names = sorted(name for name in dir(self) if name.startswith("step_"))
        weights = [self.weights.get(name[5:], 1.0) for name in names]
        for _ in range(self.random.randint(*self.length)):
            getattr(self, self.random.choices(names, weights)[0])()
            if self.chance(0.12):
                self.add("dump()")
        return self.steps

    def start(self):
        """Steps that a program begins with."""

    def add(self, step):
        """One more step."""
        self.steps.append(step)

    def new(self, prefix="a"):
        """A name that is not used yet."""
        self._names += 1
        return f"{prefix}{self._names}"

    def chance(self, probability):
        """True as often as that."""
        return self.random.random() < probability

    def pick(self, *options):
        """One of the options."""
        return self.random.choice(options)

    def scalar(self):
        """A small number that is exact in binary."""
        return self.pick(0, 1, 2, 3, -1, -2, 0.5, 0.25, -0.5, 1.5, -0.125)

    def numbers(self, shape, scale=8.0):
        """The text of an array of numbers."""
        return f"val({shape}, {self.random.randint(0, 30)}{'' if scale == 8.0 else f', {scale}'})"

    def shape(self):
        """A small shape."""
        return self.pick((3,), (4,), (2, 3), (3, 2), (2, 2), (4, 2), (3, 4), (1, 3), (2, 1), (2, 3, 2), (2, 2, 2), (6,))


def kinds():
    """The classes of all kinds by name."""
    from . import arrays, control, graphs, numpy_arrays, sparse, stores, training

    return {
        "ndarray": arrays.Arrays,
        "autograd": arrays.Gradients,
        "executor": graphs.Executors,
        "module": graphs.Modules,
        "gluon": training.Blocks,
        "kvstore": stores.Stores,
        "optimizer": stores.Optimizers,
        "iterator": stores.Iterators,
        "sparse": sparse.Sparse,
        "numpy": numpy_arrays.Numpy,
        "numpy_gluon": numpy_arrays.NumpyBlocks,
        "control": control.Control,
    }


def program(kind, seed):
    """The steps of the program of that kind and number."""
    return kinds()[kind](seed).program()
