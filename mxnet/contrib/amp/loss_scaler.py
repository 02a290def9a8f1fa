"""The factor that keeps small gradients from vanishing in float16."""

from __future__ import annotations

import logging
from typing import Any

from ... import ndarray as nd


class LossScaler:
    """A factor for the loss: halved when a gradient overflows, doubled after 2000 steps without an overflow."""

    def __init__(self) -> None:
        self._loss_scale = 2.0**16
        self._next_loss_scale = self._loss_scale
        self._max_loss_scale = 2.0**24
        self._scale_seq_len = 2000
        self._unskipped = 0

    @property
    def loss_scale(self) -> float:
        """What to multiply the loss of the current step with."""
        return self._loss_scale

    def has_overflow(self, params: Any) -> bool:
        """Is a gradient of these parameters infinite or not a number? Sets the factor of the next step."""
        self._loss_scale = self._next_loss_scale
        grads = [grad for param in params if param.grad_req != "null" for grad in param.list_grad()]
        finite = not grads or bool(nd.multi_all_finite(*grads, num_arrays=len(grads)).asscalar())
        if finite:
            self._unskipped += 1
        else:
            self._next_loss_scale = max(1.0, self._loss_scale / 2)
            logging.info("AMP: decreasing loss scale to %f", self._next_loss_scale)
            self._unskipped = 0
        if self._unskipped == self._scale_seq_len:
            self._unskipped = 0
            self._next_loss_scale = min(self._max_loss_scale, self._loss_scale * 2)
            logging.info("AMP: increasing loss scale to %f", self._next_loss_scale)
        return not finite
