"""An inference server, and clients whose demand rises and falls as over a day.

    inference.py serve ADDRESS LOG
    inference.py ask ADDRESS LOG [--day-s SECONDS] [--peak REQUESTS_A_SECOND] [--seed N]

The server answers each request with the lab's transformer. The clients' requests come at random (Poisson), at a rate
between a fifth of the peak and the peak: "night" and "noon" of a day that is minutes long. LOG gets a line a request,
{"end_ns", "ms"}: of the server what it took to answer, of the clients what they waited. Ends at SIGTERM.
"""

import argparse
import json
import math
import pathlib
import random
import selectors
import socket
import threading
import time

import folders  # noqa: F401 first: it knows where the other studies are

PORT = 29600
BYTES = 4096  # of a request, and of an answer
CLIENTS = 3
BATCH = 4
NIGHT = 0.2  # of the peak
PATIENCE_S, AGAIN_S = 60.0, 0.2


def demand(at_s: float, day_s: float, peak: float) -> float:
    """Requests a second, so long after midnight."""
    return peak * (NIGHT + (1 - NIGHT) * (1 - math.cos(2 * math.pi * at_s / day_s)) / 2)


def log_line(took_ns: int) -> str:
    return json.dumps({"end_ns": time.time_ns(), "ms": took_ns / 1e6}) + "\n"


def serve(address: str, log: pathlib.Path) -> None:
    import torch  # noqa: PLC0415 the clients do without
    import train  # noqa: PLC0415

    torch.set_num_threads(1)
    model, inputs = train.Transformer().eval(), train.inputs("infer", BATCH)
    server = socket.create_server((address, PORT))
    selector = selectors.DefaultSelector()
    selector.register(server, selectors.EVENT_READ)
    with torch.inference_mode(), open(log, "w", encoding="ascii", buffering=1) as out:
        while True:
            for key, _ in selector.select():
                if key.fileobj is server:
                    connection, _ = server.accept()
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    selector.register(connection, selectors.EVENT_READ)
                    continue
                begin = time.monotonic_ns()
                if not key.fileobj.recv(BYTES, socket.MSG_WAITALL):
                    selector.unregister(key.fileobj)
                    continue
                model(inputs)[0, -1].argmax().item()
                key.fileobj.sendall(bytes(BYTES))
                out.write(log_line(time.monotonic_ns() - begin))


def connect(address: str) -> socket.socket:
    """To a server that may not be there yet."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            return socket.create_connection((address, PORT))
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(AGAIN_S)


def ask(address: str, log, lock: threading.Lock, options: argparse.Namespace, number: int) -> None:
    draw = random.Random(options.seed * CLIENTS + number)
    with connect(address) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        begin = due = time.monotonic()
        while True:
            due += draw.expovariate(demand(due - begin, options.day_s, options.peak) / CLIENTS)
            time.sleep(max(0.0, due - time.monotonic()))
            asked = time.monotonic_ns()
            connection.sendall(bytes(BYTES))
            if not connection.recv(BYTES, socket.MSG_WAITALL):
                return
            line = log_line(time.monotonic_ns() - asked)
            with lock:
                log.write(line)


def clients(options: argparse.Namespace) -> None:
    lock = threading.Lock()
    with open(options.log, "w", encoding="ascii", buffering=1) as log:
        threads = [threading.Thread(target=ask, args=(options.address, log, lock, options, number))
                   for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("serve", "ask"))
    parser.add_argument("address")
    parser.add_argument("log", type=pathlib.Path)
    parser.add_argument("--day-s", type=float, default=1440)
    parser.add_argument("--peak", type=float, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.part == "serve":
        serve(options.address, options.log)
    else:
        clients(options)


if __name__ == "__main__":
    main()
