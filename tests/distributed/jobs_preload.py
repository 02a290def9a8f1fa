"""What the processes of test jobs need, imported once."""

import torch

torch.set_num_threads(1)

import mxnet as mx  # noqa: E402
import mxnet.gluon  # noqa: E402
import mxnet.kvstore.dist_sync  # noqa: E402
import mxnet.module  # noqa: E402
import mxnet.test_utils  # noqa: E402

mx.nd.zeros((1,))
