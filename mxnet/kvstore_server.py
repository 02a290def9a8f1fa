"""The older path of ``mxnet.kvstore.kvstore_server``."""

from .kvstore.kvstore_server import KVStoreServer, _init_kvstore_server_module, check_call, create  # noqa: F401

__all__ = ["KVStoreServer"]
