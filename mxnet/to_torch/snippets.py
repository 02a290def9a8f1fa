"""Short functions and classes for ops.py: what MXNet does and torch does otherwise."""

from __future__ import annotations

_BATCH_NORM = '''
class BatchNorm{n}d(nn.BatchNorm{n}d):
    """As torch's, with MXNet's running variance: the biased one, divided by n and not by n - 1.

    With ``fix_gamma`` the weight is 1 and not trained; with ``use_global_stats`` the running statistics are used in
    training, too, and stay as they are. MXNet updates them in backward: not where nothing is differentiated.
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        fix_gamma: bool = False,
        use_global_stats: bool = False,
    ) -> None:
        super().__init__(num_features, eps, momentum)
        self.use_global_stats = use_global_stats
        if fix_gamma:
            self.weight.requires_grad_(False)

    def forward(self, x: Tensor) -> Tensor:
        if self.use_global_stats or not self.training:
            return F.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias, eps=self.eps)
        assert self.running_mean is not None and self.running_var is not None and self.momentum is not None
        result = F.batch_norm(x, None, None, self.weight, self.bias, True, eps=self.eps)
        if not result.requires_grad:
            return result
        with torch.no_grad():
            dims = [i for i in range(x.dim()) if i != 1]
            variance, mean = torch.var_mean(x, dims, correction=0)
            self.running_mean.lerp_(mean, self.momentum)
            self.running_var.lerp_(variance, self.momentum)
        return result
'''

SNIPPETS = {
    **{f"BatchNorm{n}d": _BATCH_NORM.format(n=n) for n in (1, 2, 3)},
    "Concurrent": '''
class Concurrent(nn.ModuleList):
    """Gives its input to each of its modules and joins their results along ``dim``."""

    def __init__(self, *branches: nn.Module, dim: int = 1) -> None:
        super().__init__(branches)
        self.dim = dim

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([branch(x) for branch in self], self.dim)
''',
    "ToIndex": '''
class ToIndex(nn.Module):
    """Numbers as indices: MXNet's arrays of words are floats."""

    def forward(self, x: Tensor) -> Tensor:
        return x.long()
''',
    "masked_softmax": '''
def masked_softmax(x: Tensor, lengths: Tensor, dim: int) -> Tensor:
    """The softmax of the first numbers along ``dim``, and 0 for the rest; ``lengths`` has the shape of x without it."""
    outside = torch.arange(x.shape[dim], device=x.device) >= lengths.unsqueeze(-1)
    outside = outside.movedim(-1, dim)
    return x.masked_fill(outside, torch.finfo(x.dtype).min).softmax(dim).masked_fill(outside, 0)
''',
    "sequence_mask": '''
def sequence_mask(x: Tensor, lengths: Tensor, axis: int, value: float = 0.0) -> Tensor:
    """Sequences along ``axis`` (0 or 1, the batch is the other one) with ``value`` beyond their lengths."""
    steps, lengths = torch.arange(x.shape[axis], device=x.device), lengths.long()
    outside = steps[:, None] >= lengths if axis == 0 else steps >= lengths[:, None]
    return x.masked_fill(outside.reshape(*outside.shape, *[1] * (x.dim() - 2)), value)
''',
    "softmax_loss": '''
def softmax_loss(
    probabilities: Tensor,
    labels: Tensor,
    dim: int | None = None,
    ignore: int | None = None,
    normalization: str = "null",
    smoothing: float = 0.0,
) -> Tensor:
    """The cross-entropy, summed, whose gradient MXNet's SoftmaxOutput has: ``probabilities - one_hot(labels)``.

    The classes are along ``dim``, or all but the first axis. Labels that are no class, or equal to ``ignore``, have
    no gradient.
    ``normalization`` divides by the number of labels ("batch") or of those that are not ignored ("valid").
    """
    logs = probabilities.clamp(min=torch.finfo(probabilities.dtype).tiny).log()
    if labels.shape == probabilities.shape:  # probabilities themselves
        return -(labels * logs).sum()
    shared = probabilities[0, 0].numel() if dim == 1 and normalization == "null" else 1
    rows = logs.flatten(1) if dim is None else logs.movedim(dim, -1).flatten(0, -2)
    index = labels.flatten().long()
    counted = torch.ones_like(index, dtype=torch.bool) if ignore is None else index != ignore
    known = counted & (index >= 0) & (index < rows.shape[1])
    picked = rows.gather(1, index.clamp(0, rows.shape[1] - 1)[:, None])[:, 0] * known
    loss = -picked.sum()
    if smoothing:
        others = rows.sum(1) * counted - picked
        loss = loss * (1 - smoothing) - others.sum() * smoothing / max(rows.shape[1] - 1, 1)
    count = {"batch": index.numel(), "valid": int((index != (-1 if ignore is None else ignore)).sum())}
    return loss / max(count.get(normalization, shared), 1)
''',
    "squared_loss": '''
def squared_loss(outputs: Tensor, labels: Tensor) -> Tensor:
    """Half the squared distance, per number of an example: the loss of MXNet's LinearRegressionOutput."""
    return (outputs - labels.view_as(outputs)).square().sum() / 2 / max(outputs[0].numel(), 1)
''',
    "absolute_loss": '''
def absolute_loss(outputs: Tensor, labels: Tensor) -> Tensor:
    """The absolute distance, per number of an example: the loss of MXNet's MAERegressionOutput."""
    return (outputs - labels.view_as(outputs)).abs().sum() / max(outputs[0].numel(), 1)
''',
    "logistic_loss": '''
def logistic_loss(outputs: Tensor, labels: Tensor) -> Tensor:
    """The cross-entropy of probabilities, per number of an example: the loss of MXNet's LogisticRegressionOutput."""
    labels = labels.view_as(outputs).to(outputs.dtype)
    return F.binary_cross_entropy(outputs, labels, reduction="sum") / max(outputs[0].numel(), 1)
''',
    "svm_loss": '''
def svm_loss(outputs: Tensor, labels: Tensor, margin: float = 1.0, squared: bool = True) -> Tensor:
    """The hinge loss of each class against the others, summed: the loss of MXNet's SVMOutput."""
    is_class = F.one_hot(labels.long(), outputs.shape[-1]).bool()
    short = (margin + torch.where(is_class, -outputs, outputs)).clamp(min=0)
    return (short.square() if squared else short).sum()
''',
}
