"""What is done with one batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .... import autograd
from ...utils import split_and_load

if TYPE_CHECKING:
    from .estimator import Estimator

__all__ = ["BatchProcessor"]


class BatchProcessor:
    """How an Estimator handles one batch; override its methods to do it another way."""

    def _get_data_and_label(self, batch: Any, ctx: Any, batch_axis: int = 0) -> tuple[list, list]:
        data = split_and_load(batch[0], ctx_list=ctx, batch_axis=batch_axis)
        label = split_and_load(batch[1], ctx_list=ctx, batch_axis=batch_axis)
        return data, label

    def evaluate_batch(
        self, estimator: Estimator, val_batch: Any, batch_axis: int = 0
    ) -> tuple[list, list, list, list]:
        """Data, labels, predictions and losses, each a list over the contexts."""
        data, label = self._get_data_and_label(val_batch, estimator.context, batch_axis)
        pred = [estimator.val_net(x) for x in data]
        loss = [estimator.val_loss(y_hat, y) for y_hat, y in zip(pred, label, strict=True)]
        return data, label, pred, loss

    def fit_batch(self, estimator: Estimator, train_batch: Any, batch_axis: int = 0) -> tuple[list, list, list, list]:
        """The same in training, with the backward pass; the update is the GradientUpdateHandler's."""
        data, label = self._get_data_and_label(train_batch, estimator.context, batch_axis)
        with autograd.record():
            pred = [estimator.net(x) for x in data]
            loss = [estimator.loss(y_hat, y) for y_hat, y in zip(pred, label, strict=True)]
        for one in loss:
            one.backward()
        return data, label, pred, loss
