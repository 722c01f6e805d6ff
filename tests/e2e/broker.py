"""A NATS broker with JetStream, for tests of a fleet."""

import shutil
import subprocess

from ports import free_port, is_listening
from reveal_process import wait_until

NATS = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin:/usr/local/bin")


class Broker:
    """Its port is known before it is started. It keeps its messages in `folder`, also over a kill and a new start."""

    def __init__(self, folder):
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._configuration = folder / "nats.conf"
        self._configuration.write_text(
            f'listen: 127.0.0.1:{self.port}\njetstream {{store_dir: "{folder}/nats", max_file_store: 16G}}\n')
        self._log = folder / "nats.log"

    def start(self):
        with open(self._log, "a") as log:
            self.process = subprocess.Popen([NATS, "-c", self._configuration], stdout=log, stderr=log)
        wait_until(lambda: is_listening(self.port), "the broker")

    def kill(self):
        self.process.kill()
        self.process.wait()
