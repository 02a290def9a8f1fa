"""Random programs: ``program(kind, seed)`` is always the same list of steps for the same kind and seed.

A kind is a class with a method for each sort of step, ``step_*``; how often one is chosen is in ``weights`` (1 if
absent).
"""

import random


class Generator:
    """What all kinds share: names, choices, the steps so far."""

    length = (8, 20)
    #: Is a program one call, with nothing to be left out?
    single = False
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

    @staticmethod
    def subject(steps):
        """What the programs have in common that most likely differ for one reason; None: their outline."""
        return None

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


class ArrayGenerator(Generator):
    """What programs on arrays share: the arrays so far, by name, with shape and dtype."""

    key_odds = (0.35, 0.8, 0.9, 0.96)  # a key is a number, else a range, every second, reversed, all
    filled = False  # are only arrays with elements taken, if nothing is said?

    def array(self, *, dims=0, dtype=None, shape=None, filled=None):
        """The name of an array, or None if there is none such."""
        filled = self.filled if filled is None else filled
        found = [
            name
            for name, (known, kind) in self.arrays.items()
            if len(known) >= dims
            and (dtype is None or kind == dtype)
            and (shape is None or known == shape)
            and (not filled or 0 not in known)
        ]
        return self.random.choice(found) if found else None

    def bind(self, name, text, shape, dtype):
        """A step that makes an array."""
        self.add(f"{name} = {text}")
        self.arrays[name] = (tuple(shape), dtype)

    def basic_key(self, shape):
        """The parts of a key, as text, and the shape of what they select."""
        number, span, second, backward = self.key_odds
        key, result = [], []
        for size in shape[: self.random.randint(1, len(shape))]:
            kind = self.random.random()
            if kind < number and size:
                index = self.random.randrange(size)
                key.append(str(index if self.chance(0.7) else index - size))
            elif kind < span:
                begin = self.random.randint(0, max(size - 1, 0))
                end = self.random.randint(min(begin + 1, size), size)
                key.append(f"{begin or ''}:{end if end < size else ''}")
                result.append(end - begin)
            elif kind < second:
                key.append("::2")
                result.append((size + 1) // 2)
            elif kind < backward:
                key.append("::-1")
                result.append(size)
            else:
                key.append(":")
                result.append(size)
        return key, [*result, *shape[len(key) :]]


def kinds():
    """The classes of all kinds by name."""
    from . import arrays, calls, control, graphs, libraries, numpy_arrays, sparse, stores, training

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
        "library": libraries.Libraries,
        "operator_call": calls.Operators,
        "numpy_call": calls.NumpyFunctions,
    }


def program(kind, seed):
    """The steps of the program of that kind and number."""
    return kinds()[kind](seed).program()
