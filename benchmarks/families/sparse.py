"""Sparse arrays: products, gradients with few rows, lazy updates."""

from . import SEED, Steps, sized

ROWS, COLUMNS, BATCH, FILLED = sized(20000, 60), sized(64, 4), sized(256, 4), sized(40, 3)


def _matrix():
    """A matrix of BATCH rows with a few numbers each, as ``scipy`` calls CSR: data, columns, ends."""
    import numpy as np

    rng = np.random.RandomState(SEED)
    columns = np.concatenate([np.sort(rng.choice(ROWS, FILLED, replace=False)) for _ in range(BATCH)])
    return rng.uniform(-1, 1, columns.size).astype("float32"), columns, np.arange(0, columns.size + 1, FILLED)


def _weights(columns=COLUMNS):
    import numpy as np

    return np.random.RandomState(SEED).uniform(-1, 1, (ROWS, columns)).astype("float32")


def linear(mx):
    """The example's linear classifier: CSR data, weights of row_sparse gradient, a lazy SGD step."""
    nd = mx.nd
    data = nd.sparse.csr_matrix(_matrix(), shape=(BATCH, ROWS))
    weight = nd.array(_weights()).tostype("row_sparse")
    weight.attach_grad(stype="row_sparse")
    optimizer = mx.optimizer.SGD(learning_rate=0.01, momentum=0.9, lazy_update=True)
    state = optimizer.create_state(0, weight)

    def step():
        with mx.autograd.record():
            value = nd.square(nd.sparse.dot(data, weight)).sum()
        value.backward()
        optimizer.update(0, weight, weight.grad, state)
        nd.waitall()
        return value

    return step


def factorization_machine(mx):
    """Pairs of features by two products with CSR data."""
    nd = mx.nd
    data = nd.sparse.csr_matrix(_matrix(), shape=(BATCH, ROWS))
    vectors, squares = nd.array(_weights(16)), nd.sparse.square(data)

    def step():
        mixed = nd.square(nd.sparse.dot(data, vectors)) - nd.sparse.dot(squares, nd.square(vectors))
        return (0.5 * mixed.sum(axis=1)).asnumpy()

    return step


def embedding(mx):
    """A sparse embedding in Gluon with a lazy Adam."""
    import numpy as np

    gluon = mx.gluon
    layer = gluon.nn.Embedding(ROWS, COLUMNS, sparse_grad=True)
    layer.initialize()
    layer.weight.set_data(mx.nd.array(_weights()))
    words = mx.nd.array(np.random.RandomState(SEED).randint(0, ROWS, (BATCH,)))
    trainer = gluon.Trainer(layer.collect_params(), "adam", {"learning_rate": 0.001, "lazy_update": True})

    def step():
        with mx.autograd.record():
            value = mx.nd.square(layer(words)).sum()
        value.backward()
        trainer.step(1)
        mx.nd.waitall()
        return value

    return step


def torch_embedding(torch):
    """As ``embedding``, with SparseAdam."""
    layer = torch.nn.Embedding(ROWS, COLUMNS, sparse=True)
    words = torch.randint(0, ROWS, (BATCH,))
    optimizer = torch.optim.SparseAdam(layer.parameters(), lr=0.001)

    def step():
        optimizer.zero_grad()
        layer(words).square().sum().backward()
        optimizer.step()

    return step


def conversion(mx):
    """Dense to CSR and back, and rows that are kept."""
    import numpy as np

    nd = mx.nd
    dense = np.zeros((BATCH, sized(2000, ROWS)), "float32")
    dense[:, :: sized(50, 5)] = 1.5
    dense, rows = nd.array(dense), nd.arange(0, BATCH, 2)

    def step():
        back = dense.tostype("csr").tostype("default")
        kept = nd.sparse.retain(dense.tostype("row_sparse"), rows)
        results = [back.sum(), kept.tostype("default").sum()]
        nd.waitall()
        return results

    return step


STEPS = {
    "linear": Steps(linear),
    "factorization_machine": Steps(factorization_machine),
    "embedding": Steps(embedding, torch_embedding),
    "conversion": Steps(conversion),
}
