"""Asks a service for pictures, by several clients at a time, and tells how long it took.

python examples/serving/load.py http://127.0.0.1:8080/classify runs/languages/digit-*.pgm --clients 16 --requests 2000
"""

from __future__ import annotations

import argparse
import collections
import http.client
import itertools
import statistics
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit


def load(address: str, bodies: list[bytes], clients: int, requests: int) -> dict:
    """Sends so many requests in all; each client keeps one connection and sends the next one after its answer."""
    parts, turn, times = urlsplit(address), itertools.count(), []
    codes: collections.Counter[int | str] = collections.Counter()
    lock = threading.Lock()

    def client() -> None:
        connection = http.client.HTTPConnection(parts.hostname or "127.0.0.1", parts.port, timeout=60)
        while (number := next(turn)) < requests:
            start = time.perf_counter()
            try:
                connection.request("POST", parts.path, bodies[number % len(bodies)])
                answer = connection.getresponse()
                answer.read()
                code: int | str = answer.status
            except OSError as error:
                code = type(error).__name__
                connection.close()
            with lock:
                codes[code] += 1
                times.append(time.perf_counter() - start)
        connection.close()

    start = time.perf_counter()
    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - start
    cuts = statistics.quantiles(times, n=100)
    return {"codes": dict(codes), "per_second": requests / seconds, "median": cuts[49], "slow": cuts[98]}


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("address")
    parser.add_argument("pictures", nargs="+", type=Path)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--requests", type=int, default=2000)
    given = parser.parse_args(arguments)
    found = load(given.address, [path.read_bytes() for path in given.pictures], given.clients, given.requests)
    answers = ", ".join(f"{count} x {code}" for code, count in found["codes"].items())
    print(f"{given.clients} clients: {answers}; {found['per_second']:.0f} requests/s, ", end="")
    print(f"median {1000 * found['median']:.1f} ms, 99 % below {1000 * found['slow']:.1f} ms")


if __name__ == "__main__":
    main()
