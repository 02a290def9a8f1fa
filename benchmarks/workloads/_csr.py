"""A csr matrix of 20 000 x 100 000 with 0.1 % of its elements, and dense matrices to multiply."""

import numpy as np

from . import sized

ROWS, COLUMNS, WIDTH, EACH = sized(20000, 50), sized(100000, 80), sized(64, 4), sized(100, 5)


def parts(rng):
    """data, indices and indptr."""
    columns = np.sort(rng.randint(0, COLUMNS, (ROWS, EACH)), axis=1).ravel()
    return rng.rand(ROWS * EACH).astype("float32"), columns, np.arange(0, ROWS * EACH + 1, EACH)


def product(mx, transpose):
    """A step that multiplies the matrix, or its transpose, by a dense one."""
    rng = np.random.RandomState(0)
    matrix = mx.nd.sparse.csr_matrix(parts(rng), shape=(ROWS, COLUMNS))
    dense = mx.nd.array(rng.rand(ROWS if transpose else COLUMNS, WIDTH))
    return lambda: mx.nd.sparse.dot(matrix, dense, transpose_a=transpose).wait_to_read()


def torch_product(torch, transpose):
    """The same in torch."""
    import warnings

    rng = np.random.RandomState(0)
    data, indices, indptr = (torch.from_numpy(part) for part in parts(rng))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch calls this layout a beta
        matrix = torch.sparse_csr_tensor(indptr, indices, data, (ROWS, COLUMNS))
        matrix = matrix.t().to_sparse_csr() if transpose else matrix
    dense = torch.from_numpy(rng.rand(ROWS if transpose else COLUMNS, WIDTH).astype("float32"))
    return lambda: matrix @ dense
