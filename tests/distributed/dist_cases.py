"""Programs of two workers that the recorder and the tests share. Read by the original's old Python packages too.

Each takes ``mx`` and a distributed store, in the original the only one of its job, and gives what it finds by name.
"""

import random

import numpy as np


def told(array):
    """An array as plain numbers."""
    if array.stype == "row_sparse":
        return {"indices": told(array.indices), "data": told(array.data)}
    return array.asnumpy().tolist()


KINDS = ("AssertionError", "MXNetError", "TypeError", "ValueError")


def attempt(function, *args, **kwargs):
    """What a call gives: None, or of what kinds its error is."""
    try:
        return function(*args, **kwargs)
    except Exception as error:  # all that the original raises is recorded
        return {"error": [c.__name__ for c in type(error).__mro__ if c.__name__ in KINDS]}


def sums(mx, kv):
    """init, push, pull, pushpull and broadcast with integer keys; which arrays are changed by them."""
    rank = kv.rank
    found = {"type": kv.type, "workers": kv.num_workers}
    found["optimizer"] = kv.is_capable("optimizer")
    found["init"] = kv.init(3, mx.nd.full((2, 3), rank + 5))
    out = mx.nd.zeros((2, 3))
    found["pull"] = kv.pull(3, out=out)
    found["first"] = told(out)
    mine = mx.nd.full((2, 3), rank + 1)
    found["push"] = kv.push(3, mine, priority=-1)
    kv.pull(3, out=out, priority=-1)
    found["sum"] = told(out)
    two = [mx.nd.full((2, 3), rank + 1), mx.nd.full((2, 3), 10)]
    outs = [mx.nd.zeros((2, 3)), mx.nd.zeros((2, 3))]
    kv.push(3, two)
    kv.pull(3, out=outs)
    found["devices"] = [told(o) for o in outs]
    found["pushed devices"] = [told(o) for o in two]
    mine = mx.nd.full((2, 3), rank + 1)
    found["pushpull"] = kv.pushpull(3, mine, out=out)
    found["pushpull out"] = told(out)
    found["pushed array"] = told(mine)
    mine = mx.nd.full((2, 3), rank + 1)
    kv.pushpull(3, mine)
    found["pushpull in place"] = told(mine)
    held = mx.nd.zeros((4,))
    found["broadcast"] = kv.broadcast(9, mx.nd.full((4,), rank + 7), out=held)
    found["broadcast out"] = told(held)
    kv.init([5, 7], [mx.nd.zeros((2,)), mx.nd.ones((3,))])
    outs = [mx.nd.zeros((2,)), mx.nd.zeros((3,))]
    kv.push([7, 5], [mx.nd.ones((3,)) * (rank + 2), mx.nd.ones((2,)) * 4])
    kv.pull([5, 7], out=outs)
    found["many"] = [told(o) for o in outs]
    for dtype in ("float64", "float16"):
        key = {"float64": 20, "float16": 21}[dtype]
        kv.init(key, mx.nd.zeros((2, 2), dtype=dtype))
        kv.push(key, mx.nd.ones((2, 2), dtype=dtype) * (rank + 0.5))
        other = mx.nd.zeros((2, 2), dtype=dtype)
        kv.pull(key, out=other)
        found[dtype] = [str(np.dtype(other.dtype)), told(other)]
    kv._barrier()
    return found


def names(mx, kv):
    """String keys, and mistakes that the worker sees by itself."""
    rank = kv.rank
    found = {}
    kv.init("a", mx.nd.ones((2,)) * (rank + 1))
    kv.init(["b", "c"], [mx.nd.ones((2,)), mx.nd.ones((3,))])
    outs = [mx.nd.zeros((2,)), mx.nd.zeros((3,)), mx.nd.zeros((2,))]
    kv.push(["c", "a"], [mx.nd.ones((3,)) * rank, mx.nd.ones((2,)) * (rank + 3)])
    kv.pull(["a", "c", "b"], out=outs)
    found["values"] = [told(o) for o in outs]
    found["two types"] = attempt(kv.push, ["a", 1], [outs[0], outs[0]])
    found["duplicate"] = attempt(kv.init, "a", mx.nd.ones((2,)))
    found["no array"] = attempt(kv.push, "a", 3)
    found["save"] = attempt(kv.save_optimizer_states, "nowhere.states")
    found["load"] = attempt(kv.load_optimizer_states, "nowhere.states")
    found["compression"] = attempt(kv.set_gradient_compression, {"type": "3bit"})
    found["no dict"] = attempt(kv.set_gradient_compression, "2bit")
    found["capability"] = attempt(kv.is_capable, "wings")
    kv._barrier()
    return found


def rows(mx, kv):
    """Row-sparse arrays. (Without an updater a push of some rows puts them at the wrong places in the original.)"""
    found = {}
    shape = (6, 2)
    first = np.arange(12.0).reshape(shape)
    kv.init("w", mx.nd.array(first).tostype("row_sparse"))

    def pulled(numbers):
        out = mx.nd.sparse.zeros("row_sparse", shape)
        kv.row_sparse_pull("w", out=out, row_ids=mx.nd.array(numbers, dtype="int64"))
        return told(out)

    found["first"] = pulled([1, 4])
    found["twice"] = pulled([4, 1, 4])
    found["all"] = pulled(list(range(6)))
    kv._barrier()
    return found


def updates(mx, kv, optimizer, **arguments):
    """Weights after each push of gradients to an optimizer in the store."""
    rank = kv.rank
    rng = np.random.RandomState(rank)
    kv.set_optimizer(mx.optimizer.create(optimizer, rescale_grad=0.5, **arguments))
    shapes = [(2, 3), (4,)]
    kv.init([0, 1], [mx.nd.ones(s) for s in shapes])
    found = []
    for _ in range(4):
        grads = [mx.nd.array(np.round(rng.normal(0, 1, s), 2)) for s in shapes]
        outs = [mx.nd.zeros(s) for s in shapes]
        kv.push([0, 1], grads)
        kv.pull([0, 1], out=outs)
        kv._barrier()
        found.append([told(o) for o in outs])
    return {"weights": found}


def sparse_updates(mx, kv, optimizer, **arguments):
    """The same of a row-sparse array."""
    rank = kv.rank
    rng = np.random.RandomState(rank)
    kv.set_optimizer(mx.optimizer.create(optimizer, **arguments))
    kv.init("w", mx.nd.ones((5, 2)).tostype("row_sparse"))
    found = []
    for _ in range(4):
        index = sorted(rng.choice(5, 2, replace=False).tolist())
        data = np.round(rng.normal(0, 1, (2, 2)), 2)
        kv.push("w", mx.nd.sparse.row_sparse_array((data, index), shape=(5, 2), dtype="float32"))
        out = mx.nd.sparse.zeros("row_sparse", (5, 2))
        kv.row_sparse_pull("w", out=out, row_ids=mx.nd.arange(5, dtype="int64"))
        kv._barrier()
        found.append(told(out))
    return {"weights": found}


def compressed(mx, kv, **parameters):
    """What arrives of gradients that are sent by few bits."""
    rng = np.random.RandomState(kv.rank)
    kv.set_gradient_compression(parameters)
    kv.init("a", mx.nd.zeros((3, 5)))
    found = []
    for _ in range(5):
        out = mx.nd.zeros((3, 5))
        kv.push("a", mx.nd.array(np.round(rng.normal(0, 0.6, (3, 5)), 2)))
        kv.pull("a", out=out)
        kv._barrier()
        found.append(told(out))
    return {"sums": found}


def applied(mx, kv):
    """dist_async: what all workers have pushed is there after a barrier, whatever the order in which it came."""
    kv.set_optimizer(mx.optimizer.create("sgd", learning_rate=0.5, wd=0.0, rescale_grad=1.0))
    kv.init([0, 1], [mx.nd.ones((2, 3)), mx.nd.ones((4,)) * (kv.rank + 2)])
    found = {"type": kv.type}
    outs = [mx.nd.zeros((2, 3)), mx.nd.zeros((4,))]
    steps = []
    for step in range(3):
        kv._barrier()
        kv.push([0, 1], [mx.nd.ones((2, 3)) * (kv.rank + step), mx.nd.ones((4,)) * (kv.rank - 1)])
        kv.pull([0, 1], out=outs)  # one's own push is in it
        mx.nd.waitall()
        kv._barrier()
        kv.pull([0, 1], out=outs)
        steps.append([told(o) for o in outs])
    found["weights"] = steps
    kv._barrier()
    return found


def many_pushes(mx, kv):
    """dist_async: several pushes of each worker before a pull; all of them count, in whatever order they come."""
    kv.set_optimizer(mx.optimizer.create("sgd", learning_rate=0.5, wd=0.0))
    kv.init(["a", "rows"], [mx.nd.zeros((3,)), mx.nd.ones((4, 2)).tostype("row_sparse")])
    out, found = mx.nd.zeros((3,)), []
    for step in range(2):
        kv._barrier()
        for i in range(3):
            kv.push("a", mx.nd.full((3,), 2.0**i * (10 * kv.rank + step + 1)))
            kv.push("rows", _some_rows(mx, [kv.rank, 3], i + 1, "float32"))
        kv.pull("a", out=out)
        mx.nd.waitall()
        kv._barrier()
        kv.pull("a", out=out)
        rows = mx.nd.sparse.zeros("row_sparse", (4, 2))
        kv.row_sparse_pull("rows", out=rows, row_ids=mx.nd.arange(4, dtype="int64"))
        found.append([told(out), told(rows)])
    kv._barrier()
    return {"weights": found}


def _some_rows(mx, index, value, dtype):
    data = np.full((len(index), 2), value, dtype=dtype)
    return mx.nd.sparse.row_sparse_array((data, index), shape=(4, 2), dtype=dtype)


def low_precision(mx, kv, optimizer, multi_precision, **arguments):
    """float16 keys, dense and row-sparse, beside others: servers update them in float32 whatever the optimizer says."""
    dtypes = ["float16", "float32", "float64"]
    kv.init(dtypes, [mx.nd.ones((3,), dtype=d) for d in dtypes])
    kv.init("rows", mx.nd.ones((4, 2)).astype("float16").tostype("row_sparse"))
    kv.set_optimizer(mx.optimizer.create(optimizer, multi_precision=multi_precision, **arguments))
    found = []
    for _ in range(12):
        kv.push(dtypes, [mx.nd.full((3,), 0.0003 * (kv.rank + 1), dtype=d) for d in dtypes])
        kv.push("rows", _some_rows(mx, [kv.rank, 3], 0.013 * (kv.rank + 1), "float16"))
        outs = [mx.nd.zeros((3,), dtype=d) for d in dtypes]
        kv.pull(dtypes, out=outs)
        rows = mx.nd.sparse.zeros("row_sparse", (4, 2), dtype="float16")
        kv.row_sparse_pull("rows", out=rows, row_ids=mx.nd.arange(4, dtype="int64"))
        kv._barrier()
        found.append([told(o) for o in outs] + [told(rows)])
    return {"weights": found}


def large_halves(mx, kv, optimizer=None, rescale=1.0):
    """Sums of float16 beyond its range, and of numbers that float16 would round away; dense, large, and by rows."""
    found = []
    keys = {"far": (40000.0, (3,)), "near": (2048.0, (3,)), "wide": (40000.0, (1200000,))}
    for key, (_, shape) in keys.items():
        kv.init(key, mx.nd.ones(shape, dtype="float16"))
    kv.init("rows", mx.nd.ones((4, 2)).astype("float16").tostype("row_sparse"))
    if optimizer:
        kv.set_optimizer(mx.optimizer.create(optimizer, learning_rate=1.0, rescale_grad=rescale))
    for times in (1, 2):
        for key, (value, shape) in keys.items():
            given = value if key != "near" or kv.rank == 0 else 1.0
            pushed = [mx.nd.full(shape, given / times, dtype="float16") for _ in range(times)]
            kv.push(key, pushed[0] if times == 1 else pushed)
            out = mx.nd.zeros(shape, dtype="float16")
            kv.pull(key, out=out)
            found.append([repr(float(v)) for v in out[:3].asnumpy()])
        if optimizer:  # without one the original mixes up the rows
            kv.push("rows", _some_rows(mx, [kv.rank, 3], 40000.0, "float16"))
            rows = mx.nd.sparse.zeros("row_sparse", (4, 2), dtype="float16")
            kv.row_sparse_pull("rows", out=rows, row_ids=mx.nd.arange(4, dtype="int64"))
            found.append([repr(float(v)) for v in rows.tostype("default").asnumpy().ravel()])
        kv._barrier()
    return {"weights": found}


def mixed_training(mx, kv, on_kvstore, multi_precision, rows):
    """A Trainer with parameters of several types, maybe a row-sparse one of which a recorded forward asks for rows."""
    dtypes = ["float16", "float32", "float64"]
    params = mx.gluon.ParameterDict()
    for dtype in dtypes:
        params.get(dtype, shape=(3,), dtype=dtype, init=mx.init.Constant(0.5))
    if rows:
        params.get("rows", shape=(4, 2), stype="row_sparse", grad_stype="row_sparse", init=mx.init.One())
    params.initialize()
    trainer = mx.gluon.Trainer(
        params,
        "sgd",
        {"learning_rate": 0.05, "momentum": 0.9, "multi_precision": multi_precision},
        kvstore=kv,
        update_on_kvstore=on_kvstore,
    )
    x = mx.nd.array([1.0, 2.0, kv.rank])
    wanted = mx.nd.array([kv.rank, 3])
    for _ in range(4):
        with mx.autograd.record():
            loss = sum(((params.get(d).data().astype("float32") * x - 1) ** 2).sum() for d in dtypes)
            if rows:
                some = params.get("rows").row_sparse_data(wanted)
                picked = mx.nd.Embedding(wanted, some, input_dim=4, output_dim=2, sparse_grad=True)
                loss = loss + (picked**2).sum()
        loss.backward()
        trainer.step(1 if rows else 4)  # in the original the first pull decides the scale
    found = {d: told(params.get(d).data()) for d in dtypes}
    if rows:
        found["rows"] = told(params.get("rows").row_sparse_data(mx.nd.arange(4)).tostype("default"))
    kv._barrier()
    return found


def random_programs(mx, kv, seed, optimizer=None, compression=None):
    """Random steps with dense keys of all sizes; of each step the arrays that it has written.

    What was pushed is a copy that nobody looks at again: the original may overwrite it.
    """
    if optimizer:
        kv.set_optimizer(mx.optimizer.create(optimizer[0], **optimizer[1]))
    if compression:
        kv.set_gradient_compression(compression)
    found = []
    shapes = [(3,), (2, 3), (1,), (4, 5), (7, 2, 2), (300, 900), (1200000,)]
    for program in range(20):
        choose = random.Random(1000 * seed + program)  # the same for all workers
        own = np.random.RandomState(10 * (1000 * seed + program) + kv.rank)
        keys = ["key%d.%d" % (program, i) if seed % 2 else 10 * program + i for i in range(choose.randint(1, 4))]
        sizes = [choose.choice(shapes[: 5 if choose.random() < 0.85 else 7]) for _ in keys]
        dtype = (
            choose.choice(["float32", "float32", "float64", "float16"]) if not (optimizer or compression) else "float32"
        )
        most = choose.choice([1, 3, 8])

        def value(i, own=own, most=most, sizes=sizes, dtype=dtype):
            return mx.nd.array(own.randint(-most, most + 1, sizes[i]), dtype=dtype)

        kv.init(keys, [value(i) for i in range(len(keys))])
        for _ in range(choose.randint(3, 9)):
            # with compression the original has no pushpull
            steps = ["push", "pull", "devices", "many", "view"] + ["pushpull", "in place"] * (not compression)
            step = choose.choice(steps)
            i = choose.randrange(len(keys))
            out = mx.nd.zeros(sizes[i], dtype=dtype)
            given, outs = value(i), [out]
            if step == "push":
                kv.push(keys[i], given)
                given[:] = 7
                kv.pull(keys[i], out=out)
            elif step == "pull":
                kv.pull(keys[i], out=out)
            elif step == "pushpull":
                kv.pushpull(keys[i], given, out=out)
            elif step == "in place":
                outs = [given]
                kv.pushpull(keys[i], given)
            elif step == "devices":
                outs = [out, mx.nd.zeros(sizes[i], dtype=dtype)]
                kv.push(keys[i], [given, value(i)], priority=choose.randint(-3, 3))
                kv.pull(keys[i], out=outs)
            elif step == "many":
                order = list(range(len(keys)))
                choose.shuffle(order)
                kv.push([keys[j] for j in order], [value(j) for j in order])
                outs = [mx.nd.zeros(sizes[j], dtype=dtype) for j in order]
                kv.pull([keys[j] for j in order], out=outs)
            elif step == "view":
                outs = [mx.nd.ones((sizes[i][0] + 2, *sizes[i][1:]), dtype=dtype)]
                kv.push(keys[i], given)
                kv.pull(keys[i], out=outs[0][2:])
            for array in outs:
                flat = array.asnumpy().astype("float64").ravel()
                weighted = float((flat * np.cos(np.arange(flat.size))).sum())
                found.append([step, str(np.dtype(array.dtype)), *np.round([weighted, *flat[:3].tolist()], 4).tolist()])
    return {"steps": found}


#: The program, the kind of store and the arguments of each case.
CASES = {
    "sums": (sums, "dist_sync", {}),
    "device sums": (sums, "dist_device_sync", {}),
    "names": (names, "dist_sync", {}),
    "rows": (rows, "dist_sync", {}),
    "sgd": (updates, "dist_sync", {"optimizer": "sgd", "learning_rate": 0.1, "momentum": 0.9, "wd": 0.01}),
    "adam": (updates, "dist_sync", {"optimizer": "adam", "learning_rate": 0.1}),
    "sparse sgd": (sparse_updates, "dist_sync", {"optimizer": "sgd", "learning_rate": 0.1, "momentum": 0.9}),
    "sparse adam": (sparse_updates, "dist_sync", {"optimizer": "adam", "learning_rate": 0.1}),
    "2bit": (compressed, "dist_sync", {"type": "2bit", "threshold": 0.5}),
    "random": (random_programs, "dist_sync", {"seed": 1}),
    "random sgd": (
        random_programs,
        "dist_device_sync",
        {"seed": 2, "optimizer": ["sgd", {"learning_rate": 0.5, "momentum": 0.5, "wd": 0.01}]},
    ),
    "random adam": (random_programs, "dist_sync", {"seed": 3, "optimizer": ["adam", {"learning_rate": 0.1}]}),
    "random 2bit": (
        random_programs,
        "dist_sync",
        {"seed": 4, "compression": {"type": "2bit", "threshold": 1.5}},
    ),
    "large halves": (large_halves, "dist_sync", {}),
    "large halves sgd": (large_halves, "dist_sync", {"optimizer": "sgd", "rescale": 2.0**-17}),
    "large halves device": (large_halves, "dist_device_sync", {"optimizer": "sgd", "rescale": 2.0**-17}),
    "low precision sgd": (
        low_precision,
        "dist_sync",
        {"optimizer": "sgd", "multi_precision": False, "learning_rate": 0.1, "momentum": 0.9},
    ),
    "low precision adam": (
        low_precision,
        "dist_sync",
        {"optimizer": "adam", "multi_precision": False, "learning_rate": 0.01},
    ),
    "mixed training": (mixed_training, "dist_sync", {"on_kvstore": None, "multi_precision": False, "rows": False}),
    "mixed training with rows": (
        mixed_training,
        "dist_sync",
        {"on_kvstore": None, "multi_precision": False, "rows": True},
    ),
    "mixed training in the workers": (
        mixed_training,
        "dist_sync",
        {"on_kvstore": False, "multi_precision": False, "rows": False},
    ),
    "async": (applied, "dist_async", {}),
    "async pushes": (many_pushes, "dist_async", {}),
}


def run(mx, name):
    """What a worker finds in a case."""
    program, kind, arguments = CASES[name]
    return program(mx, mx.kv.create(kind), **arguments)
