"""The image, as a runtime starts it: a user without rights, a root that is read-only, and the host to be read."""

import json
import os
import shutil
import subprocess
import unittest

from roots import ROOTS, RootTest, fresh_folder, must, only, recording_size, run, shown, wait_until

USER = 65532


def bind(source, destination, *options):
    return {"destination": destination, "type": "bind", "source": str(source), "options": ["rbind", "nosuid", *options]}


class Image(RootTest):
    @classmethod
    def setUpClass(cls):
        cls.layout = fresh_folder("layout")
        cls.layout.mkdir()
        must("tar", "--extract", "--directory", cls.layout, "--file", only("reveal-*.oci.tar"))
        cls.tag = must("umoci", "ls", "--layout", cls.layout).strip()
        cls.bundle = fresh_folder("bundle")
        must("umoci", "unpack", "--image", f"{cls.layout}:{cls.tag}", cls.bundle)
        cls.made = json.loads((cls.bundle / "config.json").read_text())

    def setUp(self):
        self.name = f"reveal_test_{os.getpid()}"
        self.state = fresh_folder("state")
        self.state.mkdir()
        os.chown(self.state, USER, USER)

    def configure(self, *words):
        """Has the bundle run these words behind its entry point, or what the image says if there are none."""
        made = json.loads(json.dumps(self.made))
        process = made["process"]
        entry = process["args"][:1]
        process["args"] = [*entry, *words] if words else process["args"]
        process["terminal"] = False
        process["noNewPrivileges"] = True
        process["capabilities"] = {}
        process.pop("rlimits", None)
        made.pop("hostname", None)  # the name is the host's, since the recording belongs to that
        made["root"]["readonly"] = True
        made["mounts"] = [entry for entry in made["mounts"] if not entry["destination"].startswith("/sys")]
        made["mounts"] += [bind("/proc", "/host/proc", "ro"), bind("/sys", "/host/sys", "ro"),
                           bind(self.state, "/var/lib/reveal", "rw"),
                           {"destination": "/run/reveal", "type": "tmpfs", "source": "tmpfs",
                            "options": ["nosuid", f"uid={USER}", f"gid={USER}", "mode=750"]}]
        made["linux"] = {"namespaces": [{"type": kind} for kind in ("mount", "pid", "ipc", "network")]}
        (self.bundle / "config.json").write_text(json.dumps(made))

    def runtime(self, *words, **options):
        return run("runc", "--root", ROOTS / "runc", *words, **options)

    def run_image(self, *words):
        self.configure(*words)
        return self.runtime("run", "--bundle", self.bundle, self.name)

    def test_what_it_says_of_itself(self):
        process = self.made["process"]
        self.assertEqual((process["user"]["uid"], process["user"]["gid"]), (USER, USER))
        self.assertEqual(process["args"], ["/opt/reveal/bin/reveal", "agent"])
        labels = self.made["annotations"]
        for label in ("title", "version", "revision", "licenses"):
            self.assertTrue(labels[f"org.opencontainers.image.{label}"])
        root = self.bundle / "rootfs"
        self.assertTrue((root / "opt/reveal/share/doc/reveal/sbom.spdx.json").is_file())
        self.assertEqual([path for path in root.rglob("*") if path.is_file() and path.stat().st_mode & 0o6000], [])

    def test_a_recording_and_an_analysis_come_out(self):
        hosts = ("--proc-root", "/host/proc", "--sys-root", "/host/sys")
        recorded = self.run_image("record", "-o", "/var/lib/reveal/r", "--duration", "26s", *hosts)
        self.assert_status(recorded, 0)
        self.assertGreater(recording_size(self.state / "r"), 0)
        self.assertEqual((self.state / "r").stat().st_uid, USER)
        analyzed = self.run_image("analyze", "/var/lib/reveal/r")
        self.assert_status(analyzed, 0)
        self.assertIn(f"Reveal report for {os.uname().nodename}", analyzed.stdout, shown(analyzed))
        self.assertTrue((self.state / "r/report.html").is_file())

    def test_the_agent_runs_and_answers(self):
        self.configure("agent", "--proc-root", "/host/proc", "--sys-root", "/host/sys")
        log = open(ROOTS / "image.log", "w+")
        self.addCleanup(log.close)
        container = subprocess.Popen(["runc", "--root", ROOTS / "runc", "run", "--bundle", self.bundle, self.name],
                                     stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            recording = self.state / "recording"
            wait_until(lambda: container.poll() is not None or recording.is_dir() and recording_size(recording) > 0,
                       "frames")
            wait_until(lambda: container.poll() is not None or self.state_told() in ("learning", "judging"), "an answer")
            self.assertIsNone(container.poll(), (ROOTS / "image.log").read_text())
        finally:
            self.runtime("kill", self.name, "TERM")
            container.wait(120)
        self.assertEqual(container.returncode, 0, (ROOTS / "image.log").read_text())

    def state_told(self):
        health = self.runtime("exec", self.name, "/opt/reveal/bin/reveal", "health", "--json")
        return json.loads(health.stdout)["state"] if health.returncode in (0, 1) and health.stdout else None

    def tearDown(self):
        self.runtime("delete", "--force", self.name)
        shutil.rmtree(self.state, ignore_errors=True)


if __name__ == "__main__":
    unittest.main()
