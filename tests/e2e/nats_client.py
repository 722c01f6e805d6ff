"""A client of NATS' server that knows nothing of JetStream or of Reveal: it speaks the protocol's plain text over TLS,
and keeps what the server says. It is the thief of a host's key in tests."""

import json
import socket
import ssl
import time

from nats_keys import base64url


class NatsClient:
    """Connected as the user whose Key it is, with the user's `jwt` if the server wants one. `messages`: (subject,
    payload) that came; `refused`: what the server answered with -ERR."""

    def __init__(self, port, authority, key, jwt=None):
        self.messages = []
        self.refused = []
        self._pongs = 0
        self._subscriptions = 0
        plain = socket.create_connection(("127.0.0.1", port), timeout=30)
        said = self._line_of(plain)
        nonce = json.loads(said.split(" ", 1)[1])["nonce"]
        context = ssl.create_default_context(cafile=authority)
        self._socket = context.wrap_socket(plain, server_hostname="localhost")
        self._rest = b""
        options = {"verbose": False, "pedantic": False, "tls_required": True, "protocol": 1, "headers": True,
                   "no_responders": True, "lang": "python", "version": "1", "sig": base64url(key.sign(nonce.encode()))}
        options.update({"jwt": jwt} if jwt else {"nkey": key.public})
        self._send(f"CONNECT {json.dumps(options)}\r\n")
        try:
            self.flush()
        except ConnectionError:
            self.close()
            raise

    @staticmethod
    def _line_of(plain):
        """The first line, byte by byte: what comes next is of TLS."""
        out = b""
        while not out.endswith(b"\r\n"):
            out += plain.recv(1)
        return out.decode()

    def close(self):
        self._socket.close()

    def _send(self, text, payload=b""):
        self._socket.sendall(text.encode() + payload)

    def subscribe(self, subject):
        self._subscriptions += 1
        self._send(f"SUB {subject} {self._subscriptions}\r\n")

    def publish(self, subject, payload, reply=""):
        self._send(f"PUB {subject} {reply + ' ' if reply else ''}{len(payload)}\r\n", payload + b"\r\n")

    def flush(self):
        """Waits until the server has seen all that was sent, and has said what it has to say of it."""
        pongs = self._pongs
        self._send("PING\r\n")
        deadline = time.monotonic() + 30
        while self._pongs == pongs:
            assert time.monotonic() < deadline, "no PONG"
            self._read()

    def listen(self, seconds):
        """Takes what comes."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self._socket.settimeout(left)
            try:
                self._read()
            except TimeoutError:
                break
        self._socket.settimeout(30)

    def _line(self):
        while b"\r\n" not in self._rest:
            self._receive()
        line, _, self._rest = self._rest.partition(b"\r\n")
        return line.decode()

    def _receive(self):
        more = self._socket.recv(65536)
        if not more:
            raise ConnectionError(f"the server has closed the connection: {self.refused}")
        self._rest += more

    def _take(self, size):
        while len(self._rest) < size + 2:
            self._receive()
        out, self._rest = self._rest[:size], self._rest[size + 2:]
        return out

    def _read(self):
        words = self._line().split(" ")
        if words[0] == "PONG":
            self._pongs += 1
        elif words[0] == "PING":
            self._send("PONG\r\n")
        elif words[0] == "-ERR":
            self.refused.append(" ".join(words[1:]))
        elif words[0] in ("MSG", "HMSG"):
            self.messages.append((words[1], self._take(int(words[-1]))))
