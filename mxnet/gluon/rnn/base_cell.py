"""What all recurrent cells have in common."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from ... import ndarray
from ..._core.types import Array, Arrays
from ...error import MXNetValueError
from ...ndarray.kinds import accepts_both_kinds, as_current
from ...util import is_np_shape
from ..block import Block
from ..hybrid_block import HybridBlock
from ..nn import LeakyReLU
from ..parameter_dict import ParameterDict
from ..utils import MXNetAssertionError
from .sequence import begin_states, format_sequence, last_states, mask_sequence


class RecurrentCell(Block):
    """A cell is stepped as ``output, states = cell(input, states)`` or unrolled over a sequence by ``unroll``.

    A subclass defines ``state_info`` and ``forward``.
    """

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None):
        super().__init__(prefix=prefix, params=params)
        #: True when a modifier cell has taken this one over.
        self._modified = False
        self.reset()

    def reset(self) -> None:
        """Starts counting steps anew and forgets what was kept from them; ``unroll`` does that by itself."""
        self._init_counter = -1
        self._counter = -1
        for child in self._children.values():
            if isinstance(child, RecurrentCell):
                child.reset()

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Shape and layout of each state."""
        raise NotImplementedError(f"{type(self).__name__} must define state_info(self, batch_size=0)")

    def begin_state(
        self, batch_size: int = 0, func: Callable[..., object] = ndarray.zeros, **kwargs: object
    ) -> list[Any]:
        """States to start with, each made by ``func(name=, shape=, **kwargs)``: ``mx.nd.zeros``, ``mx.sym.var``, ..."""
        self._refuse_if_modified()
        need_batch_size(self, batch_size, func)
        states = []
        for info in self.state_info(batch_size):
            self._init_counter += 1
            state = func(name=f"{self._prefix}begin_state_{self._init_counter}", **{**info, **kwargs})
            states.append(as_current(state))
        return states

    def _refuse_if_modified(self) -> None:
        if self._modified:
            raise MXNetAssertionError(
                "After applying modifier cells (e.g. ZoneoutCell) the base cell cannot be called directly. Call the "
                "modifier cell instead."
            )

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if "unroll" in vars(cls):  # written once, for classic arrays and those of mx.np
            cls.unroll = accepts_both_kinds(cls.unroll)  # type: ignore[method-assign]

    @accepts_both_kinds
    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: object = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Array | None = None,
    ) -> tuple[Any, list[Any]]:
        """Runs the cell over ``length`` steps and gives the outputs and the states after the last one.

        ``inputs`` is one array (or symbol) in the given layout, or a list with one per step. ``merge_outputs`` asks
        for the outputs as one array (True), as a list (False) or as suits the cell best (None). Where the sequences of
        a batch have different lengths, ``valid_length`` has them: outputs beyond are 0, states are those at the ends.
        """
        self.reset()
        inputs, axis, F, batch_size = format_sequence(length, inputs, layout, False)
        states = begin_states(self, F, begin_state, inputs, batch_size)
        outputs, history = [], []
        for step in inputs:
            output, states = self(step, states)
            outputs.append(output)
            if valid_length is not None:
                history.append(states)
        if valid_length is not None:
            states = last_states(F, history, valid_length)
            outputs = mask_sequence(F, outputs, length, valid_length, axis, True)
        return format_sequence(length, outputs, layout, merge_outputs)[0], states

    def _get_activation(self, F: ModuleType, inputs: Any, activation: Any, **kwargs: Any) -> Any:
        """Applies an activation given by name, as a LeakyReLU layer or as a function."""
        if activation in ("tanh", "relu", "sigmoid", "softsign"):
            return getattr(F, activation)(inputs, **kwargs)
        if isinstance(activation, str):
            return F.Activation(inputs, act_type=activation, **kwargs)
        if isinstance(activation, LeakyReLU):
            return F.LeakyReLU(inputs, act_type="leaky", slope=activation._alpha, **kwargs)
        return activation(inputs, **kwargs)

    def forward(self, inputs: Array, states: Arrays) -> tuple[Any, list[Any]]:  # type: ignore[override]
        """One step: the output and the states after it."""
        if isinstance(states, ndarray.NDArray) and len(states) != len(self.state_info()):
            raise MXNetValueError(
                f"{type(self).__name__} takes a list of {len(self.state_info())} state(s), as begin_state(batch_size) "
                f"makes it, got an array of shape {states.shape}"
            )
        self._counter += 1
        return super().forward(inputs, states)


def need_batch_size(block: Block, batch_size: int, func: object) -> None:
    """Raises if states are to be arrays and the number of examples was not given."""
    if not batch_size and func is ndarray.zeros and not is_np_shape():
        raise MXNetValueError(f"begin_state of {block.name} needs the number of examples: begin_state(batch_size=32)")


class HybridRecurrentCell(RecurrentCell, HybridBlock):
    """A cell that can be hybridized; a subclass defines ``state_info`` and ``hybrid_forward``."""

    def hybrid_forward(self, F: ModuleType, x: Array, *args: Any, **kwargs: Any) -> Array:
        """One step with the functions of F, ``mx.nd`` or ``mx.sym``; to be overridden."""
        raise NotImplementedError(f"{type(self).__name__} must define hybrid_forward(self, F, inputs, states, ...)")
