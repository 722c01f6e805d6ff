"""What a kubelet and a runtime make of a pod of one container, as far as these tests need it: a bundle for runc."""

import json
import os
import subprocess

# What runtimes for Kubernetes hide and protect of /proc, unless a container is privileged.
MASKED = ["/proc/asound", "/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/timer_list",
          "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi", "/sys/firmware"]
READ_ONLY = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"]
SIZES = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}


def size(text):
    return int(text[:-2]) * SIZES[text[-2:]]


class Node:
    """A network of its own. A pod has it as its node's, and its probes are asked from it."""

    def __init__(self):
        self.process = subprocess.Popen(["unshare", "--net", "sh", "-ec",
                                         "ip link set lo up; echo ready; exec sleep infinity"],
                                        stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise AssertionError("no network")

    def words(self, *words):
        return ["nsenter", "--target", str(self.process.pid), "--net", *map(str, words)]

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def make_volumes(pod, config_map, folder):
    """Makes the pod's volumes below the folder, which stands for the node's root too, and returns the path of each."""
    group = pod["securityContext"].get("fsGroup")
    out = {}
    for volume in pod["volumes"]:
        path = folder / volume["name"]
        if volume.get("hostPath", {}).get("path") == "/sys":
            path = "/sys"
        elif "hostPath" in volume:
            path = folder / "node" / volume["hostPath"]["path"].lstrip("/")
            if volume["hostPath"]["type"] == "DirectoryOrCreate":
                path.mkdir(mode=0o755, parents=True, exist_ok=True)
            elif not path.is_dir():
                raise AssertionError(f"the kubelet would refuse {path}")
        elif "emptyDir" in volume:
            path.mkdir(parents=True)
            path.chmod(0o777 if group is None else 0o2777)
            os.chown(path, 0, group or 0)
        else:
            path.mkdir(parents=True)
            for name, text in config_map["data"].items():
                (path / name).write_text(text)
        out[volume["name"]] = path
    return out


def mount_of(mount, path):
    # None and HostToContainer, in Kubernetes' words.
    propagation = {"HostToContainer": "rslave"}.get(mount.get("mountPropagation"), "rprivate")
    return {"destination": mount["mountPath"], "type": "bind", "source": str(path),
            "options": ["rbind", propagation, "ro" if mount.get("readOnly") else "rw"]}


def bundle_of(image, pod, volumes):
    """Returns the configuration of the pod's container, given the one that umoci made of its image."""
    container, = pod["containers"]
    security = {**pod["securityContext"], **container["securityContext"]}
    out = json.loads(json.dumps(image))
    out.pop("hostname", None)
    out["root"]["readonly"] = security["readOnlyRootFilesystem"]
    out["mounts"] = [mount for mount in out["mounts"] if not mount["destination"].startswith("/sys")]
    out["mounts"] += [mount_of(mount, volumes[mount["name"]]) for mount in container["volumeMounts"]]

    # Neither an inheritable nor an ambient set: Kubernetes has none.
    held = [f"CAP_{name}" for name in security["capabilities"].get("add", [])]
    groups = [security["fsGroup"]] if "fsGroup" in security else []
    process = out["process"]
    process.pop("rlimits", None)
    process.update(
        terminal=False, args=[process["args"][0], *container["args"]],
        user={"uid": security["runAsUser"], "gid": security["runAsGroup"], "additionalGids": groups},
        capabilities={"bounding": held, "permitted": held, "effective": held},
        noNewPrivileges=not security["allowPrivilegeEscalation"])

    shared = ["pid"] * pod.get("hostPID", False) + ["network", "uts"] * pod.get("hostNetwork", False)
    own = [kind for kind in ("mount", "ipc", "pid", "network", "uts") if kind not in shared]
    out["linux"] = {"namespaces": [{"type": kind} for kind in own], "maskedPaths": MASKED, "readonlyPaths": READ_ONLY,
                    "resources": {"devices": [{"allow": False, "access": "rwm"}],
                                  "memory": {"limit": size(container["resources"]["limits"]["memory"])}}}
    return out
