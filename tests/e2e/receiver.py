"""An HTTP server that keeps what webhooks send to it."""

import http.server
import json
import threading


class Receiver:
    """Keeps the JSON of each POST, in the order of their arrival, and hands it to `heard`, if there is one."""

    def __init__(self, heard=None):
        bodies = self.bodies = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                # A body that was cut off did not arrive.
                try:
                    body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                except ValueError:
                    return
                bodies.append(body)
                if heard:
                    heard(body)
                try:
                    self.send_response(200)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                except ConnectionError:
                    pass

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
