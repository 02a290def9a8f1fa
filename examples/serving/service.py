"""An exported network as a service: pictures or arrays in by HTTP, what the network says out as JSON.

    python examples/serving/service.py runs/languages/digits --shape 1,28,28 [--port 8080]

    curl --data-binary @runs/languages/digit-3.pgm http://127.0.0.1:8080/classify
    curl --json '{"data": [[[0, 12, ...], ...]]}' http://127.0.0.1:8080/predict

Requests are batched. What cannot be answered is refused: 400 for what is neither a picture nor an array of the right
shape, 408 for bodies that do not come, 413 for those that are too large, 503 if too many wait. It needs
``pip install fastapi uvicorn``.
"""

from __future__ import annotations

import os

# A small file can claim to be a huge picture. OpenCV reads this when it is imported.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(1 << 24))

import argparse
import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from fastapi import FastAPI, HTTPException, Request
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

import mxnet as mx
from mxnet.gluon import SymbolBlock

sys.path.insert(0, str(Path(__file__).resolve().parent))
from batching import Batcher, BusyError

Shape = tuple[int, ...]


class Model:
    """A network in files, for one input of a shape (channels, height, width)."""

    def __init__(self, prefix: str, shape: Shape, epoch: int = 0, name: str = "data"):
        self.shape = shape
        self._net = SymbolBlock.imports(f"{prefix}-symbol.json", [name], f"{prefix}-{epoch:04d}.params")
        self._net.hybridize()
        self([np.zeros(shape, np.float32)])  # the first call prepares what others use; a wrong shape is seen now

    def __call__(self, items: list[np.ndarray]) -> list[np.ndarray]:
        """What the network gives for arrays of its shape, as one batch."""
        return list(self._net(mx.nd.array(np.stack(items))).asnumpy())

    def picture(self, content: bytes) -> np.ndarray:
        """The array of a picture (JPEG, PNG, PGM, ...), in the network's size."""
        channels, height, width = self.shape
        try:
            picture = mx.image.imdecode(content, flag=int(channels == 3))
        except (mx.MXNetError, ValueError) as error:
            raise HTTPException(400, f"this is not a picture: {error}") from error
        if picture.shape[:2] != (height, width):
            picture = mx.image.imresize(picture, width, height)
        return picture.asnumpy().astype(np.float32).transpose(2, 0, 1)

    def array(self, content: bytes) -> np.ndarray:
        """The array in ``{"data": [...]}``."""
        try:
            values = np.asarray(json.loads(content, parse_constant=_no_number)["data"])
        except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
            raise HTTPException(400, f'expected {{"data": nested lists of numbers}}: {error}') from error
        if values.dtype.kind not in "iuf" or values.shape != self.shape:
            what = f"shape {values.shape}" if values.dtype.kind in "iuf" else "something else"
            raise HTTPException(400, f"expected numbers of shape {self.shape}, got {what}")
        with np.errstate(over="ignore"):  # too large for float32: infinite, which is refused
            values = values.astype(np.float32)
        if not np.isfinite(values).all():
            raise HTTPException(400, "numbers must be finite")
        return values


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


async def _body(request: Request, limit: int, patience: float) -> bytes:
    """The body of a request, of ``limit`` bytes at most, within ``patience`` seconds."""
    too_large = HTTPException(413, f"at most {limit} bytes can be taken")
    if int(request.headers.get("content-length", 0)) > limit:
        raise too_large

    async def read() -> bytes:
        parts, size = [], 0
        async for part in request.stream():
            size += len(part)
            if size > limit:
                raise too_large
            parts.append(part)
        return b"".join(parts)

    try:
        return await asyncio.wait_for(read(), patience)
    except TimeoutError:
        raise HTTPException(408, f"the body did not come within {patience:g} seconds") from None
    except ClientDisconnect:
        raise HTTPException(400, "the body ended too early") from None  # nobody reads this, but it is no failure


def create_app(
    model: Model,
    largest: int = 32,
    delay: float = 0.002,
    waiting: int = 256,
    limit: int = 1 << 20,
    patience: float = 10,
) -> FastAPI:
    """The service: batches of at most ``largest``, bodies of at most ``limit`` bytes."""
    batcher = Batcher(model, largest, delay, waiting)

    @contextlib.asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        task = asyncio.create_task(batcher.serve())
        yield
        task.cancel()

    app = FastAPI(title="A network of MXNet's", lifespan=life)

    async def answer(request: Request, read: Any) -> dict:
        content = await _body(request, limit, patience)
        item = await run_in_threadpool(read, content)
        try:
            output = await batcher(item)
        except BusyError as error:
            raise HTTPException(503, str(error), headers={"Retry-After": "1"}) from error
        return {"class": int(output.argmax()), "output": output.tolist()}

    @app.post("/classify")
    async def classify(request: Request) -> dict:
        """A picture as body: the class with the highest output, and all outputs."""
        return await answer(request, model.picture)

    @app.post("/predict")
    async def predict(request: Request) -> dict:
        """``{"data": [...]}`` as body, in the shape of one input."""
        return await answer(request, model.array)

    @app.get("/ping")
    async def ping() -> dict:
        """Whether it is there, and how large its batches were."""
        return {"status": "healthy", "shape": model.shape, "batches": batcher.sizes}

    return app


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("prefix", help="of NAME-symbol.json and NAME-0000.params")
    parser.add_argument("--shape", default="3,224,224", help="of one input: channels, height, width")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--largest", type=int, default=32, help="the largest batch")
    parser.add_argument("--delay", type=float, default=0.002, help="how long a batch waits for more, in seconds")
    given = parser.parse_args(arguments)
    channels, height, width = (int(size) for size in given.shape.split(","))
    model = Model(given.prefix, (channels, height, width))
    app = create_app(model, given.largest, given.delay)
    uvicorn.run(app, host=given.host, port=given.port, log_level="warning", limit_concurrency=512)


if __name__ == "__main__":
    main()
