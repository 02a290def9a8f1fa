"""The job's store as its processes use it: what they write is signed with the job's token, anything else is ignored.

Torch's TCPStore has no login. Whoever reaches its port can list, read, overwrite and delete what is in it. So every
value carries a signature (HMAC-SHA256) over the space, the key and the value; keys name the sender where there are
several. A key is written once in a job, or its values carry a number that only grows, and the space and the secret are
new in each job: a signed value is worth nothing under another key, in another job, or later. Torch's counters (``add``)
cannot be signed and are not used.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import threading
import time
from datetime import timedelta
from typing import Any

import torch.distributed as dist

__all__ = ["SignedStore", "Rejections", "proof"]

_logger = logging.getLogger(__name__)
_SIGNATURE = hashlib.sha256().digest_size
#: A value that is never written: comparing with it reads a key without waiting for it.
_NEVER = b"mxnet: not there"
_POLL = 0.01


def proof(secret: bytes, *parts: str | bytes) -> bytes:
    """The signature of some parts, by who knows the secret."""
    code = hmac.new(secret, digestmod=hashlib.sha256)
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        code.update(len(raw).to_bytes(8, "big"))
        code.update(raw)
    return code.digest()


class Rejections:
    """Counts the values that were ignored since they are not signed by a process of the job; logs the first."""

    def __init__(self, address: str):
        self._address = address
        self._lock = threading.Lock()
        self.count = 0

    def add(self, key: str) -> None:
        """One more, found under a key."""
        with self._lock:
            self.count += 1
            first = self.count == 1
        if first:
            _logger.warning(
                "the store of the job at %s has a value under %r that was not signed with the job's token "
                "(MXNET_KVSTORE_TOKEN). It is ignored, as will be others: something that does not belong to the job "
                "can reach its port.",
                self._address,
                key,
            )


class SignedStore(dist.Store):
    """A store of torch's that writes signed values only, and reads no others. It is one for gloo and NCCL, too."""

    def __init__(self, base: Any, space: str, secret: bytes, rejections: Rejections):
        super().__init__()
        #: The connection below.
        self.base = base
        self._space, self._secret, self.rejections = space, secret, rejections
        #: What was ignored, by key.
        self.ignored: dict[str, bytes] = {}

    def over(self, base: Any, below: str = "") -> SignedStore:
        """The same store, or the part of it with names below one, over another connection."""
        return SignedStore(base, f"{self._space}/{below}" if below else self._space, self._secret, self.rejections)

    def proof(self, *parts: str) -> bytes:
        """Returns a MAC that only processes of the job can compute."""
        return proof(self._secret, "proof", *parts)

    def _name(self, key: str) -> str:
        return f"{self._space}/{key}"

    def _sign(self, key: str, value: bytes) -> bytes:
        return proof(self._secret, self._space, key, value) + value

    def _verify(self, key: str, raw: bytes) -> bytes | None:
        value = raw[_SIGNATURE:]
        if hmac.compare_digest(raw[:_SIGNATURE], proof(self._secret, self._space, key, value)):
            self.ignored.pop(key, None)
            return value
        if self.ignored.get(key) != raw:
            self.ignored[key] = raw
            self.rejections.add(key)
        return None

    def set(self, key: str, value: str | bytes) -> None:
        """Writes a value."""
        self.base.set(self._name(key), self._sign(key, value.encode() if isinstance(value, str) else value))

    def read(self, key: str) -> bytes | None:
        """The value of a key; None if it has none, or none that is signed. Does not wait."""
        raw = self.base.compare_set(self._name(key), _NEVER, _NEVER)
        return None if raw == _NEVER else self._verify(key, raw)

    def first(self, key: str, value: str | bytes) -> bytes | None:
        """Writes a value unless there is one: the value that is there now, None if it is not signed (again)."""
        signed = self._sign(key, value.encode() if isinstance(value, str) else value)
        raw = self.base.compare_set(self._name(key), b"", signed)
        if self._verify(key, raw) is None:  # not of this job
            raw = self.base.compare_set(self._name(key), raw, signed)
        return self._verify(key, raw)

    # ---- what gloo and NCCL need besides --------------------------------------------------------------------------

    def check(self, keys: list[str]) -> bool:
        """Do all of these keys have values?"""
        return all(self.read(key) is not None for key in keys)

    def wait(self, keys: list[str], timeout: timedelta | None = None) -> None:
        """Waits until all of these keys have values."""
        limit = time.monotonic() + (timeout or self.base.timeout).total_seconds()
        while not self.check(keys):
            if time.monotonic() > limit:
                missing = [key for key in keys if self.read(key) is None]
                raise RuntimeError(f"nobody has written {', '.join(missing[:5])} to the job's store in time")
            time.sleep(_POLL)

    def get(self, key: str) -> bytes:
        """The value of a key, when there is one."""
        self.wait([key])
        value = self.read(key)
        if value is None:
            raise RuntimeError(f"{key} was there and is gone: something else writes to the job's store")
        return value
