"""Update rules of optimizers, which write to weights and states."""
