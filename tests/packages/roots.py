"""Root file systems for the tests of what is handed out, and systems that run in them.

REVEAL_PACKAGES names the folder that `make deb tarball rpm image` filled, REVEAL_ROOTS one for the roots.
"""

import os
import pathlib
import shlex
import shutil
import subprocess
import time
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = pathlib.Path(os.environ["REVEAL_PACKAGES"]).resolve()
ROOTS = pathlib.Path(os.environ["REVEAL_ROOTS"]).resolve()
HERE = pathlib.Path(__file__).resolve().parent

# Long enough on a busy machine; only a hang reaches it.
PATIENCE_S = 180


def shown(outcome):
    return (f"\n$ {shlex.join(map(str, outcome.args))}\nstatus {outcome.returncode}"
            f"\n--- stdout\n{outcome.stdout}\n--- stderr\n{outcome.stderr}\n---")


def run(*words, **options):
    return subprocess.run([str(word) for word in words],
                          **{"text": True, "capture_output": True, "timeout": 600,
                             **({} if "input" in options else {"stdin": subprocess.DEVNULL}), **options})


def must(*words, **options):
    """Runs a command that has to succeed, and returns its output."""
    out = run(*words, **options)
    if out.returncode != 0:
        raise AssertionError(shown(out))
    return out.stdout


def wait_until(condition, what):
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {PATIENCE_S} s in vain for {what}")
        time.sleep(0.1)


def only(pattern):
    """Returns the one file in the folder of packages that the pattern fits."""
    found = sorted(PACKAGES.glob(pattern))
    if len(found) != 1:
        raise AssertionError(f"{PACKAGES}: {len(found)} files fit {pattern}; make package-test makes them")
    return found[0]


def fresh_folder(name):
    folder = ROOTS / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    return folder


def debian_root(name, suite, packages=()):
    """Makes Debian's smallest root, with these packages and what they need."""
    root = fresh_folder(name)
    include = ["--include=" + ",".join(packages)] if packages else []
    must("mmdebstrap", "--variant=minbase", *include, suite, root)
    return root


def busybox_root(name):
    """Makes a root that has busybox, and no C library."""
    root = fresh_folder(name)
    for folder in ("bin", "dev", "etc", "lib", "opt", "proc", "sys", "tmp", "usr/lib"):
        (root / folder).mkdir(parents=True)
    shutil.copy("/bin/busybox", root / "bin")
    must("chroot", root, "/bin/busybox", "--install", "-s", "/bin")
    return root


class EnteredRoot:
    """A root that commands run in, with /proc, /sys and a few devices, as in a container without a network."""

    def __init__(self, root):
        self.root = root
        mounts = (f"mount -t proc proc {root}/proc; mount --rbind /sys {root}/sys; "
                  f"mount -t tmpfs tmpfs {root}/dev; touch {root}/dev/null; mount --bind /dev/null {root}/dev/null; "
                  "ip link set lo up; echo ready; exec sleep infinity")
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-ec", mounts],
            stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise AssertionError(f"{root} cannot be entered")
        self.pid = child_of(self.process.pid)

    def words(self, *words):
        return ["nsenter", "--target", str(self.pid), "--mount", "--net", "--pid", "chroot", str(self.root), *words]

    def run(self, *words, **options):
        return run(*self.words(*words), **options)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def child_of(pid):
    return int(pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


class BootedRoot:
    """A root in which systemd runs as the first process, as on a host of its own."""

    def __init__(self, root):
        self.root = root
        self.log = open(root.parent / f"{root.name}.log", "w")
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--net", "--pid", "--fork", "--uts", "--ipc", "--cgroup", "--kill-child",
             "sh", HERE / "boot.sh", root], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        wait_until(lambda: self.process.poll() is None and self.is_up(), f"systemd, see {self.log.name}")

    def is_up(self):
        try:
            self.pid = child_of(self.process.pid)
        except (IndexError, OSError):
            return False
        state = self.run("systemctl", "is-system-running").stdout.strip()
        return state in ("running", "degraded")

    def run(self, *words, **options):
        return run("nsenter", "--target", self.pid, "--mount", "--net", "--pid", "--uts", "--ipc", "--cgroup",
                   "--root", "--wd", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                   "DEBIAN_FRONTEND=noninteractive", *words, **options)

    def must(self, *words, **options):
        out = self.run(*words, **options)
        if out.returncode != 0:
            raise AssertionError(shown(out))
        return out.stdout

    def from_its_network(self, *words):
        """Runs a program of this machine that has the network of the root."""
        return run("nsenter", "--target", self.pid, "--net", *words)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.log.close()


class RootTest(unittest.TestCase):
    def assert_status(self, outcome, *statuses):
        self.assertIn(outcome.returncode, statuses, shown(outcome))


def recording_size(folder):
    return sum(file.stat().st_size for file in folder.glob("*.rv?"))
