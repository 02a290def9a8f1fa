"""Writes PyTorch source: of a saved network, or of a program.

    python -m mxnet.tools.to_torch net-symbol.json net-0000.params out --shape data=1,3,224,224
    python -m mxnet.tools.to_torch --source my_net.py my_net_torch.py

The first makes a package with ``model.py``, ``weights.safetensors`` and a check, which needs torch only. The second
rewrites classes and loops of Gluon; what it cannot translate it leaves, with a comment.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from .. import symbol
from ..error import MXNetError
from ..ndarray import load
from ..to_torch import to_torch_source
from .convert import _shape

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser("to_torch", description="Write a network or a program as PyTorch source")
    parser.add_argument("--source", action="store_true", help="translate a program: SOURCE.py [TARGET.py]")
    parser.add_argument(
        "files", nargs="+", help="net-symbol.json net-0000.params DIRECTORY, or with --source: programs"
    )
    parser.add_argument(
        "--shape", action="append", default=[], type=_shape, metavar="NAME=1,3,224,224", help="the shape of an input"
    )
    parser.add_argument("--optimizer", metavar="FILE", help="what Trainer.save_states wrote, to go along")
    parser.add_argument("--seed", type=int, default=0, help="of the random inputs for the check")
    given = parser.parse_args(argv)
    try:
        if given.source:
            from ..to_torch.programs import translate_file

            if len(given.files) > 2:
                parser.error("--source takes a program and the file to write")
            print(translate_file(*given.files))
            return 0
        if len(given.files) != 3:
            parser.error("give the symbol file, the file of parameters and the directory to write")
        symbol_file, params_file, target = given.files
        net, params = symbol.load(symbol_file), load(params_file)
        if not isinstance(params, dict):
            raise MXNetError(f"{params_file} holds arrays without names, which cannot be parameters")
        trainer = None
        if given.optimizer:
            from ..to_torch.optimizers import saved_in

            trainer = saved_in(given.optimizer, params)
        to_torch_source(net, target, params=params, shapes=dict(given.shape), trainer=trainer, seed=given.seed)
    except (MXNetError, OSError, ImportError) as error:
        print(f"to_torch: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("to_torch: interrupted", file=sys.stderr)
        return 130
    print(f"{target}: written; python {target}/check.py compares it with what was computed here")
    return 0


if __name__ == "__main__":
    sys.exit(main())
