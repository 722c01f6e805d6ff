"""The container of each profile of docs/examples/kubernetes, with the real image, started by runc as its pod says, and
asked by its probes. No kubelet and no cluster: tests/e2e/kubernetes_test.py has what is known of the manifests."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import yaml

from pods import Node, bundle_of, make_volumes, size
from roots import REPOSITORY, ROOTS, RootTest, fresh_folder, must, only, recording_size, run, shown, wait_until

EXAMPLES = REPOSITORY / "docs" / "examples" / "kubernetes"
PROGRAM = "/opt/reveal/bin/reveal"
# Numbers of linux/capability.h.
NUMBERS = {"DAC_READ_SEARCH": 2, "SYS_PTRACE": 19, "PERFMON": 38}
KEPT = """resources: [../standard]
components: [../keep]
"""
ASK = "import sys, urllib.request as r; print(r.urlopen(sys.argv[1], timeout=5).status)"


def status_of(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)


def family(pid):
    """Returns a process and its children."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *map(int, children)]


@unittest.skipUnless(shutil.which("kubectl"), "needs kubectl from 1.21 on")
class Kubernetes(RootTest):
    @classmethod
    def setUpClass(cls):
        layout = fresh_folder("pod_layout")
        layout.mkdir()
        must("tar", "--extract", "--directory", layout, "--file", only("reveal-*.oci.tar"))
        cls.bundle = fresh_folder("pod_bundle")
        must("umoci", "unpack", "--image", f"{layout}:{must('umoci', 'ls', '--layout', layout).strip()}", cls.bundle)
        cls.image = json.loads((cls.bundle / "config.json").read_text())
        cls.node = Node()
        cls.addClassCleanup(cls.node.close)

    def setUp(self):
        self.name = f"reveal_pod_{os.getpid()}"
        self.folder = fresh_folder("pod")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def runtime(self, *words):
        return run(*self.node.words("runc", "--root", ROOTS / "runc", *words))

    def in_the_container(self, *words):
        return self.runtime("exec", self.name, PROGRAM, *words)

    def start(self, manifests):
        """Starts the container of a folder of manifests, and waits until it is ready."""
        objects = {one["kind"]: one for one in yaml.safe_load_all(must("kubectl", "kustomize", manifests))}
        self.pod = objects["DaemonSet"]["spec"]["template"]["spec"]
        self.agent, = self.pod["containers"]
        self.volumes = make_volumes(self.pod, objects["ConfigMap"], self.folder)
        (self.bundle / "config.json").write_text(json.dumps(bundle_of(self.image, self.pod, self.volumes)))
        self.log = open(ROOTS / "pod.log", "w+")
        self.container = subprocess.Popen(
            self.node.words("runc", "--root", ROOTS / "runc", "run", "--bundle", self.bundle, self.name),
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.addCleanup(self.close)
        wait_until(lambda: self.container.poll() is not None or self.probe("startupProbe"), "the pod to be ready")
        self.assertIsNone(self.container.poll(), self.said())

    def said(self):
        return (ROOTS / "pod.log").read_text()

    def close(self):
        self.runtime("delete", "--force", self.name)
        self.container.wait(60)
        self.log.close()

    def end(self):
        self.runtime("kill", self.name, "TERM")
        self.container.wait(self.pod["terminationGracePeriodSeconds"])
        self.assertEqual(self.container.returncode, 0, self.said())
        self.runtime("delete", "--force", self.name)
        self.log.close()

    def probe(self, name):
        asked = self.agent[name]["httpGet"]
        port, = [one["containerPort"] for one in self.agent["ports"] if one["name"] == asked["port"]]
        answer = run(*self.node.words("/usr/bin/python3", "-c", ASK, f"http://{asked['host']}:{port}{asked['path']}"))
        return answer.stdout == "200\n"

    def processes(self):
        return family(json.loads(self.runtime("state", self.name).stdout)["pid"])

    def assert_rights(self):
        processes = [status_of(pid) for pid in self.processes()]
        self.assertEqual(len(processes), 3)
        held = sum(1 << NUMBERS[name] for name in self.agent["securityContext"]["capabilities"].get("add", []))
        user = str(self.pod["securityContext"]["runAsUser"])
        for facts in processes:
            self.assertEqual(set(facts["Uid"].split()), {user})
            self.assertEqual(facts["NoNewPrivs"], "1")
            for kind in ("CapBnd", "CapPrm", "CapEff"):
                self.assertEqual(int(facts[kind], 16), held, kind)
        memory = sum(int(facts["VmRSS"].split()[0]) * 1024 for facts in processes)
        self.assertLess(memory, size(self.agent["resources"]["limits"]["memory"]))

    def assert_it_writes_to_its_volumes_alone(self):
        for folder in ("/opt/reveal/x", "/host/sys/x", "/etc/reveal/x"):
            out = self.in_the_container("record", "-o", folder, "--duration", "1s")
            self.assertNotEqual(out.returncode, 0, shown(out))
            self.assertRegex(out.stderr, "Read-only file system|Permission denied|Operation not permitted")

    def assert_it_works(self):
        self.assertTrue(self.probe("readinessProbe"))
        self.assertTrue(self.probe("livenessProbe"))
        marked = self.in_the_container("mark", "v2 is deployed")
        self.assertEqual(marked.returncode, 0, shown(marked))
        self.assert_rights()
        self.assert_it_writes_to_its_volumes_alone()
        recording = pathlib.Path(self.volumes["state"]) / "recording"
        before = recording_size(recording)
        wait_until(lambda: recording_size(recording) > before, "the recording to grow")
        self.assertEqual(recording.stat().st_uid, self.pod["securityContext"]["runAsUser"])
        health = self.in_the_container("health", "--json")
        self.assertIn(json.loads(health.stdout)["state"], ("learning", "judging"), shown(health))
        settings = self.in_the_container("agent", "--print-config")
        self.assertIn('max_size = "2GiB"', settings.stdout, shown(settings))

    def metrics(self):
        """Returns how many metrics the container can have of this host."""
        out = self.in_the_container("metrics", "--sys-root", "/host/sys")
        return int(re.search(r"(\d+) of \d+", out.stdout + out.stderr)[1])

    def test_full_sees_more_than_standard(self):
        self.start(EXAMPLES / "standard")
        self.assert_it_works()
        standard = self.metrics()
        self.end()
        shutil.rmtree(self.folder)
        self.start(EXAMPLES / "full")
        self.assert_it_works()
        full = self.metrics()
        self.end()
        self.assertGreater(full, standard)
        print(f"metrics available: {standard} in standard, {full} in full")

    def test_a_folder_of_the_node_outlives_the_pod(self):
        manifests = self.folder / "manifests"
        shutil.copytree(EXAMPLES, manifests)
        (manifests / "site").mkdir()
        (manifests / "site" / "kustomization.yaml").write_text(KEPT)
        command = re.search(r"^#   (install -d .*)$", (EXAMPLES / "keep/kustomization.yaml").read_text(), re.M)[1]
        must("sh", "-c", command.replace("/var/lib", f"{self.folder}/node/var/lib"))
        for _ in range(2):
            self.start(manifests / "site")
            self.assert_it_works()
            self.end()
            for name in ("run", "config"):
                shutil.rmtree(self.volumes[name])
        recording = self.volumes["state"] / "recording"
        exported = run(self.bundle / "rootfs" / PROGRAM.lstrip("/"), "export", recording, "--format", "jsonl")
        self.assert_status(exported, 0)
        marks = [note["text"] for line in exported.stdout.splitlines() for note in json.loads(line).get("notes", [])
                 if note["source"] == "mark"]
        self.assertEqual(marks, ["v2 is deployed"] * 2, exported.stderr)


if __name__ == "__main__":
    unittest.main()
