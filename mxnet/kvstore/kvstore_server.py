"""The server's side of distributed stores, which are not part of this release; a worker needs nothing from here."""

from __future__ import annotations

import os
from typing import NoReturn

from ..base import check_call  # noqa: F401 - the original has this name here
from .base import KVStoreBase, create  # noqa: F401

__all__ = ["KVStoreServer"]


class KVStoreServer:
    """Runs the server of a distributed store."""

    def __init__(self, kvstore: KVStoreBase):
        self.kvstore = kvstore

    def run(self) -> NoReturn:
        """Serves until the workers are done; not part of this release."""
        raise NotImplementedError("servers of distributed key-value stores are not part of this release")


def _init_kvstore_server_module() -> None:
    """Becomes a server if the environment says that this process is one; does nothing in a worker."""
    role = os.environ.get("DMLC_ROLE", "worker")
    if role != "worker":
        raise NotImplementedError(
            f"DMLC_ROLE is {role!r}: distributed key-value stores are not part of this release; start workers only"
        )
