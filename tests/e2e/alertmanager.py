"""A real Alertmanager, for tests of alerts."""

import json
import os
import pathlib
import shutil
import subprocess
import urllib.request

from ports import free_port

PROGRAM = shutil.which("prometheus-alertmanager") or shutil.which("alertmanager")
# Debian's reads its templates there, wherever it was unpacked (tools/unpack_packages.sh).
TEMPLATES = pathlib.Path("/usr/share/prometheus/alertmanager")


def started_by():
    """The words before the command that starts Alertmanager: if its package is only unpacked, it sees the
    package's /usr/share in the place of this host's."""
    share = pathlib.Path(PROGRAM).resolve().parent.parent / "share"
    if TEMPLATES.is_dir() or not (share / TEMPLATES.relative_to("/usr/share")).is_dir():
        return []
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    return ["unshare", *as_root, "--mount", "sh", "-c", 'mount --bind "$0" /usr/share && exec "$@"', str(share)]


def can_be_started():
    words = started_by()
    return not words or subprocess.run([*words, "true"], capture_output=True).returncode == 0


def why_not():
    """Why there is none here; empty: there is."""
    if PROGRAM is None:
        return "there is no Alertmanager (apt-get install prometheus-alertmanager)"
    return "" if can_be_started() else f"Alertmanager needs {TEMPLATES} (apt-get install prometheus-alertmanager)"


class Alertmanager:
    """Keeps its state in `folder`, also over a stop and a new start."""

    def __init__(self, folder, configuration):
        self.url = f"http://127.0.0.1:{(port := free_port())}"
        self._folder = folder
        self._port = port
        self._process = None
        (folder / "alertmanager.yml").write_text(configuration)

    def start(self):
        """To be followed by a wait until it is_ready()."""
        with open(self._folder / "alertmanager.log", "ab") as log:
            self._process = subprocess.Popen(
                [*started_by(), PROGRAM, f"--config.file={self._folder}/alertmanager.yml",
                 f"--storage.path={self._folder}/data", f"--web.listen-address=127.0.0.1:{self._port}",
                 "--cluster.listen-address="], stdout=log, stderr=log)

    def stop(self):
        self._process.kill()
        self._process.wait()

    def is_ready(self):
        if self._process.poll() is not None:
            raise AssertionError("Alertmanager ended: " + (self._folder / "alertmanager.log").read_text())
        try:
            return urllib.request.urlopen(self.url + "/-/ready").status == 200
        except OSError:
            return False

    def active(self):
        """The alerts that fire, as it has them."""
        return json.load(urllib.request.urlopen(self.url + "/api/v2/alerts"))
