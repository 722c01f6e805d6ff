"""The manifests of docs/examples/kubernetes: put together by kubectl, with fields that Kubernetes knows, the rights that
the document names, and words that the image and the program take. tests/packages/kubernetes_test.py runs their
container."""

import copy
import json
import re
import shutil
import subprocess
import sys
import unittest

from reveal_process import REPOSITORY, RevealTest

try:
    import yaml
except ImportError:
    yaml = None

KUBECTL = shutil.which("kubectl")
NODE = shutil.which("node")
SKIPPED = 77  # SKIP_RETURN_CODE

EXAMPLES = REPOSITORY / "docs" / "examples" / "kubernetes"
PACKAGED = "/usr/share/doc/reveal/docs/examples/kubernetes"
PAGE = (REPOSITORY / "docs" / "how_to" / "install.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("\n## Kubernetes\n")[2].partition("\n## ")[0]
IMAGE = (REPOSITORY / "packaging" / "image.sh").read_text(encoding="utf-8")
MODULES = REPOSITORY / "build" / "deps" / "node_modules"
COMPILER = MODULES / "typescript" / "lib" / "tsc.js"
TYPES = MODULES / "kubernetes-types"
MODULE_OF = {"Namespace": "core/v1", "ServiceAccount": "core/v1", "ConfigMap": "core/v1",
             "PriorityClass": "scheduling/v1", "DaemonSet": "apps/v1"}

PROFILES = {"standard": set(), "full": {"PERFMON", "SYS_PTRACE", "DAC_READ_SEARCH"}}
SIZES = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}


def assembled(folder):
    """Returns the objects that kubectl makes of a folder, each by its kind."""
    done = subprocess.run([KUBECTL, "kustomize", folder], capture_output=True, text=True, timeout=60)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(done.stderr)
    objects = list(yaml.safe_load_all(done.stdout))
    by_kind = {one["kind"]: one for one in objects}
    if len(by_kind) != len(objects) or set(by_kind) != set(MODULE_OF):
        raise AssertionError(f"{folder}: {[one['kind'] for one in objects]}")
    return by_kind


def each_profile():
    return [(assembled(EXAMPLES / name), capabilities) for name, capabilities in PROFILES.items()]


def pod_of(objects):
    return objects["DaemonSet"]["spec"]["template"]["spec"]


def agent_of(objects):
    container, = pod_of(objects)["containers"]
    return container


def volume(objects, name):
    found, = [one for one in pod_of(objects)["volumes"] if one["name"] == name]
    return found


def size(text):
    number, unit = re.fullmatch(r"(\d+)([KMG]i)B?", text).groups()
    return int(number) * SIZES[unit]


def blocks():
    return re.findall(r"^```\n(.*?)^```$", SECTION, re.M | re.S)


class Manifests(RevealTest):
    def follow_the_page(self):
        """Returns the folder that the commands of the document make, which need no cluster."""
        prepare = blocks()[1]
        self.assertIn(f"cp -r {PACKAGED} ", prepare)
        subprocess.run(["sh", "-ec", prepare.replace(PACKAGED, str(EXAMPLES))], cwd=self.folder, check=True)
        return self.folder / "reveal-kubernetes" / "site"

    def test_selectors_and_references_fit(self):
        for objects, _ in each_profile():
            daemons, pod, agent = objects["DaemonSet"], pod_of(objects), agent_of(objects)
            labels = daemons["spec"]["template"]["metadata"]["labels"]
            selected = daemons["spec"]["selector"]["matchLabels"]
            self.assertTrue(selected)
            self.assertLessEqual(selected.items(), labels.items())
            mounts = {one["name"] for one in agent["volumeMounts"]}
            self.assertEqual(mounts, {one["name"] for one in pod["volumes"]})
            self.assertEqual(volume(objects, "config")["configMap"]["name"], objects["ConfigMap"]["metadata"]["name"])
            self.assertEqual(pod["serviceAccountName"], objects["ServiceAccount"]["metadata"]["name"])
            self.assertEqual(pod["priorityClassName"], objects["PriorityClass"]["metadata"]["name"])
            for kind in ("ServiceAccount", "ConfigMap", "DaemonSet"):
                self.assertEqual(objects[kind]["metadata"]["namespace"], objects["Namespace"]["metadata"]["name"])
            ports = {one["name"]: one for one in agent["ports"]}
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                asked = agent[probe]["httpGet"]
                self.assertEqual(ports[asked["port"]]["hostIP"], asked["host"])

    def test_rights_are_those_of_the_document(self):
        for objects, capabilities in each_profile():
            pod, security = pod_of(objects), agent_of(objects)["securityContext"]
            self.assertNotIn("privileged", security)
            self.assertIs(security["allowPrivilegeEscalation"], False)
            self.assertIs(security["readOnlyRootFilesystem"], True)
            self.assertEqual(security["capabilities"]["drop"], ["ALL"])
            self.assertEqual(set(security["capabilities"].get("add", [])), capabilities)
            for name in capabilities:
                self.assertIn(f"`{name}`", SECTION)
            self.assertIs(pod["automountServiceAccountToken"], False)
            self.assertEqual(pod["securityContext"]["seccompProfile"], {"type": "RuntimeDefault"})
            self.assertFalse(pod.get("hostIPC"))
            of_the_node = {one["name"] for one in pod["volumes"] if "hostPath" in one}
            written = {one["name"] for one in agent_of(objects)["volumeMounts"] if not one.get("readOnly")}
            self.assertLessEqual(of_the_node & written, {"state"})
            self.assertEqual("hostPath" in volume(objects, "state"), bool(capabilities))
            user = pod["securityContext"]["runAsUser"]
            self.assertEqual(pod["securityContext"].get("runAsNonRoot", False), user != 0)
            self.assertEqual(user == 0, bool(capabilities))

    def test_the_image_is_as_it_is_made(self):
        user, = re.findall(r"^user=(\d+)$", IMAGE, re.M)
        entry, = re.findall(r"--config\.entrypoint=(\S+)", IMAGE)
        port, = re.findall(r"--config\.exposedports=(\d+)/tcp", IMAGE)
        security = pod_of(assembled(EXAMPLES / "standard"))["securityContext"]
        self.assertEqual({str(security[key]) for key in ("runAsUser", "runAsGroup", "fsGroup")}, {user})
        self.assertIn(f"-o {user} -g {user} ", SECTION)
        self.assertIn(f"-o {user} -g {user} ", (EXAMPLES / "keep" / "kustomization.yaml").read_text())
        self.assertIn(f"-- {entry} health", SECTION)
        for objects, _ in each_profile():
            self.assertEqual([one["containerPort"] for one in agent_of(objects)["ports"]], [int(port)])
            self.assertNotIn("command", agent_of(objects))
            for mount in agent_of(objects)["volumeMounts"]:
                self.assertIn(mount["mountPath"].lstrip("/"), IMAGE)

    def test_the_program_takes_its_words_and_its_configuration(self):
        for objects, _ in each_profile():
            text = objects["ConfigMap"]["data"]["reveal.toml"]
            file = self.folder / "reveal.toml"
            file.write_text(text)
            out = self.reveal(*agent_of(objects)["args"], "--config", file, "--check-config")
            self.assert_status(out, 0)
            # Nobody removes what does not fit the volume: the pod is evicted.
            limit = size(re.search(r'^max_size = "(.*)"$', text, re.M)[1])
            self.assertRegex(text, r'(?m)^keep = "')
            held = volume(objects, "state").get("emptyDir")
            if held:
                self.assertLessEqual(2 * limit, size(held["sizeLimit"]))

    def test_the_page_word_for_word(self):
        objects = assembled(self.follow_the_page())
        self.assertRegex(agent_of(objects)["image"], r"^registry\.internal/reveal:\d")
        self.assertEqual(volume(objects, "state")["hostPath"], {"path": "/var/lib/reveal", "type": "Directory"})
        self.assertNotIn("emptyDir", volume(objects, "state"))

    def test_a_change_of_the_configuration_rolls_out(self):
        site = self.follow_the_page()
        before = assembled(site)
        (site / "reveal.toml").write_text('[record]\nkeep = "3d"\nmax_size = "1GiB"\n')
        after = assembled(site)
        self.assertIn("3d", after["ConfigMap"]["data"]["reveal.toml"])
        names = [volume(objects, "config")["configMap"]["name"] for objects in (before, after)]
        self.assertNotEqual(*names)


@unittest.skipUnless(NODE and COMPILER.is_file() and TYPES.is_dir(), "no types of Kubernetes; make deps-test")
class Fields(RevealTest):
    """Of a literal, TypeScript refuses fields that its type does not have: at each depth, unlike JSON schemas."""

    def write(self, name, objects):
        lines = []
        for kind, value in objects.items():
            lines += [f'import type {{{kind}}} from "kubernetes-types/{MODULE_OF[kind]}";',
                      f"export const the{kind}: {kind} = {json.dumps(value, indent=1)};"]
        (self.folder / f"{name}.ts").write_text("\n".join(lines))

    def broken(self, name, change):
        objects = {"DaemonSet": copy.deepcopy(assembled(EXAMPLES / "full")["DaemonSet"])}
        change(objects)
        self.write(name, objects)

    def faults(self):
        """Returns what the compiler says, by the name of the file."""
        (self.folder / "tsconfig.json").write_text(json.dumps(
            {"compilerOptions": {"strict": True, "noEmit": True, "skipLibCheck": True, "types": [], "module": "esnext",
                                 "target": "es2022", "moduleResolution": "node", "baseUrl": str(MODULES)}}))
        done = subprocess.run([NODE, COMPILER, "--pretty", "false", "-p", self.folder], capture_output=True, text=True,
                              timeout=120)
        out = {}
        for file, fault in re.findall(r"(\w+)\.ts\(\d+,\d+\): (error .*)", done.stdout):
            out.setdefault(file, []).append(fault)
        self.assertEqual(done.returncode != 0, bool(out), done.stdout + done.stderr)
        return out

    def test_kubernetes_knows_each_of_them(self):
        for profile in PROFILES:
            self.write(profile, assembled(EXAMPLES / profile))
        self.broken("misspelt", lambda objects: pod_of(objects).update(hostPid=pod_of(objects).pop("hostPID")))
        self.broken("too_deep", lambda objects: agent_of(objects).update(runAsUser=0))
        self.broken("wrong_kind", lambda objects: agent_of(objects)["ports"][0].update(containerPort="7383"))
        self.broken("left_out", lambda objects: objects["DaemonSet"]["spec"].pop("selector"))
        faults = self.faults()
        self.assertEqual(set(faults), {"misspelt", "too_deep", "wrong_kind", "left_out"}, faults)


if __name__ == "__main__":
    if KUBECTL is None or yaml is None:
        print("skipped: needs kubectl from 1.21 on, and Debian's package python3-yaml")
        sys.exit(SKIPPED)
    unittest.main()
