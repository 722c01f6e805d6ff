"""The scripts of docs/examples/slurm and the document's commands, on a host that is controller and node of Debian's
Slurm: a job that disturbs another is in the finding, its start and end are noted, and the node is drained."""

import json
import os
import pathlib
import re
import shutil
import unittest

from debian_test import needed
from install_page_test import blocks_of
from roots import BootedRoot, RootTest, debian_root, must, only, shown, wait_until

# Slurm asks for names as a host of a network does, so the loopback's own address is none to it.
ADDRESS = "192.0.2.1"

# One node, which is the controller, and on which jobs share the cores.
SLURM = """
ClusterName=test
SlurmctldHost={node}({address})
SlurmUser=slurm
AuthType=auth/munge
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
ProctrackType=proctrack/cgroup
JobAcctGatherType=jobacct_gather/cgroup
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={node} NodeAddr={address} CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

# Steps of some 50 ms of one core, as a job with a pace of its own has them.
STEADY = "while :; do head -c 10M /dev/zero | sha256sum >/dev/null; sleep 0.02; done"
# More than all cores, until it is canceled.
GREEDY = "for i in 1 2 3 4 5 6; do timeout 400 yes >/dev/null & done; wait"
PACKAGES = ["systemd", "dbus", "slurmctld", "slurmd", "slurm-client", "munge", "coreutils"]


def groups_of_slurm():
    """Returns Slurm's control groups on this machine, the innermost first: nobody else removes them."""
    tops = [path for path in pathlib.Path("/sys/fs/cgroup").glob("*/slurm*") if not path.parent.is_symlink()]
    return [pathlib.Path(at) for top in tops for at, _, _ in os.walk(top, topdown=False)]


def remove_new(before):
    def are_gone():
        for group in groups_of_slurm():
            if group not in before:
                try:
                    group.rmdir()
                except OSError:
                    pass  # of a process that has not ended yet
        return set(groups_of_slurm()) <= set(before)

    wait_until(are_gone, "the end of Slurm's control groups")


class Slurm(RootTest):
    @classmethod
    def setUpClass(cls):
        files = [only("reveal_*_*.deb"), only("reveal-agent_*_all.deb")]
        packages = {*PACKAGES, *needed(files[0]), *needed(files[1])}
        cls.root = debian_root("slurm", "bookworm", sorted(packages))
        for file in files:
            shutil.copy(file, cls.root / "root")
        cls.addClassCleanup(remove_new, groups_of_slurm())
        cls.system = BootedRoot(cls.root)
        cls.addClassCleanup(cls.system.close)
        must("nsenter", "--target", cls.system.pid, "--net", "ip", "address", "add", ADDRESS, "dev", "lo")
        cls.node = cls.system.must("hostname").strip()
        (cls.root / "etc/slurm").mkdir(exist_ok=True)
        (cls.root / "etc/slurm/slurm.conf").write_text(SLURM.format(node=cls.node, address=ADDRESS))
        (cls.root / "etc/slurm/cgroup.conf").write_text("ConstrainCores=no\n")
        with open(cls.root / "etc/hosts", "a", encoding="utf-8") as hosts:
            hosts.write(f"{ADDRESS} {cls.node}\n")
        cls.system.must("systemctl", "restart", "munge", "slurmctld", "slurmd")

    def log(self):
        return shown(self.system.run("journalctl", "--no-pager", "--lines", "60", "--unit", "slurm*"))

    def state(self):
        node = self.system.run("scontrol", "--oneliner", "show", "node", self.node).stdout
        return dict(re.findall(r"(\w+)=((?:\[node_problem\] [^\n]*?(?= \[))|\S*)", node))

    def wait_idle(self):
        try:
            wait_until(lambda: self.state().get("State") == "IDLE", "an idle node")
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.state()} {self.log()}") from error

    def submit(self, command):
        said = self.system.must("sbatch", "--parsable", "--chdir", "/tmp", "--output", "/dev/null", "--wrap", command)
        return said.strip()

    def health(self):
        return self.system.run("reveal", "health")

    def agent_state(self):
        told = self.system.run("reveal", "health", "--json")
        return json.loads(told.stdout)["state"] if told.returncode < 3 else None  # 3: it does not answer yet

    def findings(self):
        files = (self.root / "var/lib/reveal/findings").glob("*/*/*/*/finding.json")
        return [json.loads(file.read_text()) for file in sorted(files)]

    def of_job(self, job):
        """Returns the first finding that says that the job did it."""
        return next((one for one in self.findings() if re.match(rf"slurm job {job}\b", one["culprit"])), None)

    def notes(self):
        recording = "/var/lib/reveal/recording"
        said = self.system.must("reveal", "export", recording, "--format", "jsonl")
        notes = [note for line in said.splitlines() for note in json.loads(line).get("notes", [])]
        return [f"{note['subject']}: {note['text']}" for note in notes if note["source"] == "mark"]

    def assert_jobs_start_without_an_agent(self):
        self.assertEqual(self.system.must("srun", "echo", "ran"), "ran\n")
        self.wait_idle()

    def assert_the_page_can_be_followed(self):
        block, = blocks_of("Slurm")
        self.system.must("sh", "-ec", block.replace("restart slurmd", "restart slurmctld slurmd"))
        self.wait_idle()
        settings = self.system.must("scontrol", "show", "config")
        for name in ("HealthCheckProgram", "Prolog", "Epilog"):
            self.assertRegex(settings, rf"(?m)^{name} += /etc/slurm/reveal/\w+\.sh$")

    def install(self):
        names = [f"/root/{file.name}" for file in (self.root / "root").glob("*.deb")]
        self.system.must("apt-get", "install", "--yes", *names)

    def test_the_life_of_a_job(self):
        self.install()
        self.wait_idle()
        self.system.must("systemctl", "stop", "reveal-agent")
        self.assert_the_page_can_be_followed()
        self.assert_jobs_start_without_an_agent()

        self.system.must("systemctl", "start", "reveal-agent")
        steady = self.submit(STEADY)
        wait_until(lambda: self.agent_state() == "judging", "an agent that judges")
        greedy = self.submit(GREEDY)
        wait_until(lambda: self.of_job(greedy), f"a finding that names job {greedy} and not {steady}")
        self.assertRegex(self.of_job(greedy)["sentences"][0], rf"^Who: slurm job {greedy} ")

        wait_until(lambda: "DRAIN" in self.state()["State"], f"a node that is drained: {self.health().stdout}")
        self.assertRegex(self.state()["Reason"], r"^\[node_problem\] reveal: open: .*major")
        # It leaves a node alone that somebody has drained, for another reason too.
        self.system.must("scontrol", "update", f"NodeName={self.node}", "State=RESUME")
        self.system.must("scontrol", "update", f"NodeName={self.node}", "State=DRAIN", "Reason=fan")
        for _ in range(10):  # on a busy machine not each of them has an answer in time
            self.system.must("env", f"SLURMD_NODENAME={self.node}", "/etc/slurm/reveal/health_check.sh")
        wait_until(lambda: self.health().returncode == 2, "the finding, which goes on")
        self.assertEqual(self.state()["Reason"], "fan")

        self.system.must("scancel", steady, greedy)
        noted = [f"job {job}: {what}" for what in ("started", "ended") for job in (steady, greedy)]
        wait_until(lambda: set(noted) <= set(self.notes()), f"{noted}")
        notes = [note for note in self.notes() if note in noted]
        self.assertEqual(sorted(notes), sorted(noted))  # each once
        self.assertLess(notes.index(noted[1]), notes.index(noted[2]))


if __name__ == "__main__":
    unittest.main()
