"""The streams of the study, read from a server of the test's own, and its table by hand."""

import pathlib
import socket
import tempfile
import threading
import types
import unittest

import streams
from shell import LabError

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
EVENT = b"id: a-1\nevent: window\ndata: {}\n\n"


class StreamsTest(unittest.TestCase):
    def serve(self, answer):
        """A port and a socket file whose clients all get that; returns what stands for the service."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        port, file = socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)
        file.bind(str(folder / "s"))
        file.listen()
        self.taken = []

        def accept(listener):
            while True:
                try:
                    client = listener.accept()[0]
                except OSError:
                    return
                client.recv(65536)
                client.sendall(answer)
                self.taken.append(client)
        for listener in (port, file):
            threading.Thread(target=accept, args=(listener,), daemon=True).start()
            self.addCleanup(listener.close)
        return types.SimpleNamespace(port=port.getsockname()[1], socket=folder / "s")

    def test_all_are_read_and_counted(self):
        opened = streams.Streams(self.serve(HEAD + EVENT + EVENT), 3)
        opened.read_for(0.5)
        opened.close()
        self.assertEqual(opened.events, 6)
        self.assertEqual(opened.bytes, 3 * len(HEAD + EVENT + EVENT))
        self.assertEqual(len(self.taken), 3)

    def test_one_that_is_refused_is_told(self):
        opened = streams.Streams(self.serve(b"HTTP/1.1 503 Service Unavailable\r\n\r\n"), 1)
        with self.assertRaisesRegex(LabError, "more than 32"):
            opened.read_for(10)
        opened.close()

    def test_the_table(self):
        said = streams.table({"streams": 64, "alone": [1.0, 2.0, 4.0], "beside": [1.5, 2.25, 4.25],
                              "events_a_second": [1.0], "bytes_a_second": [450.0]})
        self.assertIn("judge without streams, % of a core             2.00 (1.00 to 4.00)", said)
        self.assertIn("more                                           0.25 (0.25 to 0.50)", said)
        self.assertIn("bytes a second of a stream                   450.00", said)


if __name__ == "__main__":
    unittest.main()
