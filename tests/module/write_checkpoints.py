"""Writes checkpoints to a directory, for the original to read: see ``record_module.py``."""

import os
import sys

import module_cases

import mxnet as mx

if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for kind in module_cases.CHECKPOINTS:
        module = module_cases.checkpoint_module(mx, kind)
        module.save_checkpoint(os.path.join(sys.argv[1], kind), 3, save_optimizer_states=True)
