"""A PostgreSQL server for tests, with data and a socket in `folder` and no port. It refuses to run as root, and then
runs as nobody."""

import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile

from ports import free_port
from reveal_process import wait_until


def _programs():
    """Where Debian installs them, else in PATH."""
    found = shutil.which("initdb", path="/usr/lib/postgresql/15/bin") or shutil.which("initdb")
    return pathlib.Path(found).parent if found else None


PROGRAMS = _programs()


class Postgres:
    """It keeps its data also over a kill and a new start. `password`: a file that holds it; without it, whoever asks
    is let in."""

    def __init__(self, password=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="reveal_"))
        self._user = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self._user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        # A package that was unpacked brings some of its libraries.
        self._environment = dict(os.environ)
        if not str(PROGRAMS).startswith("/usr/"):
            self._environment["LD_LIBRARY_PATH"] = str(PROGRAMS.parents[2] / "x86_64-linux-gnu")
        how = ["-A", "scram-sha-256", "--pwfile", str(password)] if password else ["-A", "trust"]
        self._run("initdb", "-D", self.folder / "data", "-U", "reveal", "-E", "UTF8", "--no-locale", "-N", *how)
        self.url = f"postgresql:///postgres?host={self.folder}&user=reveal"
        self.process = None
        self._where = ["-c", "listen_addresses="]

    def listen_encrypted(self, certificate, key):
        """Has it listen on a port of localhost and 127.0.0.2, too, once it is started. Returns the port."""
        for source, name in ((certificate, "server.crt"), (key, "server.key")):
            copy = self.folder / "data" / name
            shutil.copy(source, copy)
            copy.chmod(0o600)
            if self._user:
                os.chown(copy, self._user["user"], self._user["group"])
        port = free_port()
        self._where = ["-c", "listen_addresses=localhost,127.0.0.2", "-c", f"port={port}", "-c", "ssl=on"]
        return port

    def _start(self, program, *words, **more):
        return subprocess.Popen([PROGRAMS / program, *words], cwd="/", env=self._environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **self._user, **more)

    def _run(self, program, *words):
        process = self._start(program, *words)
        said = process.communicate(timeout=120)[0]
        if process.returncode != 0:
            raise AssertionError(f"{program}: {said}")

    def _is_up(self):
        try:
            lines = (self.folder / "data" / "postmaster.pid").read_text().splitlines()
        except OSError:
            lines = []
        if self.process and lines[:1] == [str(self.process.pid)] and lines[-1].startswith("ready"):
            return True
        # After a kill its processes may live on for a moment, in which it refuses to start.
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [PROGRAMS / "postgres", "-D", self.folder / "data", "-k", self.folder, "-c", "fsync=off", *self._where],
                cwd="/", env=self._environment, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, **self._user)
        return False

    def start(self):
        wait_until(self._is_up, "PostgreSQL")

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def remove(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
