"""The RPM packages: what rpm says of them, in a root without a C library, and as services of a systemd that really
runs. No distribution with RPM is tried: where these run, nothing but they is known to rpm."""

import functools
import os
import re
import subprocess
import unittest

from fleets import FleetTest
from install_page_test import blocks_of
from roots import (PACKAGES, REPOSITORY, ROOTS, BootedRoot, RootTest, busybox_root, debian_root, must, only,
                   recording_size, run, wait_until)

LATER = "999.0"
OWN = "/opt/reveal/"
PROGRAM, AGENT, FLEET = "reveal-[0-9]*.rpm", "reveal-agent-*.noarch.rpm", "reveal-fleet-*.noarch.rpm"


def of(package, form):
    return must("rpm", "--query", "--package", "--queryformat", form, package)


def lines(package, form):
    return [line for line in of(package, form).splitlines() if line]


@functools.cache
def later_packages():
    """Returns a folder with the same packages under a later version."""
    folder = ROOTS / "rpm_later"
    subprocess.run([REPOSITORY / "packaging/rpm.sh", PACKAGES, folder], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "REVEAL_PACKAGE_VERSION": LATER})
    return folder


class Queries(RootTest):
    @classmethod
    def setUpClass(cls):
        cls.program, cls.agent, cls.fleet = only(PROGRAM), only(AGENT), only(FLEET)

    def test_they_are_called_as_the_archive_is(self):
        archive = only("reveal-*[!g].tar.xz").name
        version, machine = re.fullmatch(r"reveal-(.+)-([^-]+)\.tar\.xz", archive).groups()
        self.assertEqual(of(self.program, "%{NAME} %{VERSION} %{ARCH}"), f"reveal {version} {machine}")
        self.assertEqual(of(self.agent, "%{NAME} %{VERSION} %{ARCH}"), f"reveal-agent {version} noarch")
        self.assertEqual(of(self.fleet, "%{NAME} %{VERSION} %{ARCH}"), f"reveal-fleet {version} noarch")

    def test_the_program_needs_nothing_and_offers_itself_alone(self):
        needed = [line for line in lines(self.program, r"[%{REQUIRENAME}\n]") if not line.startswith("rpmlib(")]
        self.assertEqual(needed, [])
        offered = set(lines(self.program, r"[%{PROVIDENAME}\n]"))
        self.assertEqual({name for name in offered if not name.startswith("reveal")}, set())
        version = of(self.program, "%{VERSION}-%{RELEASE}")
        for service in (self.agent, self.fleet):
            needed = {line for line in lines(service, r"[%{REQUIRENAME} %{REQUIREFLAGS:depflags} %{REQUIREVERSION}\n]")
                      if not line.startswith("rpmlib(")}
            self.assertEqual({line.split()[0] for line in needed}, {"reveal", "systemd", "/bin/sh"})
            self.assertIn(f"reveal = {version}", {line.strip() for line in needed})

    def test_files_are_roots_and_in_their_places(self):
        for package in (self.program, self.agent, self.fleet):
            self.assertEqual(set(lines(package, r"[%{FILEUSERNAME} %{FILEGROUPNAME}\n]")), {"root root"})
            modes = lines(package, r"[%{FILEMODES:perms} %{FILENAMES}\n]")
            self.assertEqual([line for line in modes if not re.match(r"l|.r[w-][x-]r-[x-]r-[x-] ", line)], [])
        names = lines(self.program, r"[%{FILENAMES}\n]")
        self.assertIn("/usr/bin/reveal", names)
        self.assertIn(f"{OWN}bin/reveal", names)
        self.assertTrue([name for name in names if re.fullmatch(rf"{OWN}lib/reveal/ld-linux-.*", name)])
        self.assertIn("/usr/share/man/man1/reveal-agent.1.gz", names)
        self.assertIn(f"{OWN}share/doc/reveal/sbom.spdx.json", names)
        others = {name for name in names if not (name + "/").startswith((OWN, "/usr/share/", "/usr/bin/reveal"))}
        self.assertEqual(others, set())
        self.assertEqual(lines(self.agent, r"[%{FILEFLAGS:fflags} %{FILENAMES}\n]"),
                         [" /etc/reveal", "cn /etc/reveal/reveal.toml",
                          " /usr/lib/systemd/system/reveal-agent.service"])
        self.assertEqual(lines(self.fleet, r"[%{FILEFLAGS:fflags} %{FILENAMES}\n]"),
                         ["cn /etc/default/reveal-fleet", " /etc/reveal-fleet",
                          " /usr/lib/systemd/system/reveal-fleet.service", " /usr/lib/sysusers.d/reveal-fleet.conf"])

    def test_scriptlets_are_of_the_services_alone_and_are_shell(self):
        self.assertEqual(must("rpm", "--query", "--package", "--scripts", self.program), "")
        for package, unit in ((self.agent, "reveal-agent.service"), (self.fleet, "reveal-fleet.service")):
            for form in ("%{POSTIN}", "%{PREUN}", "%{POSTUN}"):
                text = of(package, form)
                self.assertEqual(set(re.findall(r"\S+\.service", text)), {unit})
                checked = run("sh", "-n", input=text)
                self.assert_status(checked, 0)

    def test_the_same_archive_makes_the_same_bytes(self):
        again = ROOTS / "rpm_again"
        must(REPOSITORY / "packaging/rpm.sh", PACKAGES, again)
        for package in (self.program, self.agent, self.fleet):
            self.assertEqual((again / package.name).read_bytes(), package.read_bytes(), package.name)


class WithoutALibrary(RootTest):
    def test_it_comes_runs_and_goes(self):
        root = busybox_root("rpm_busybox")
        rpm = ["rpm", "--force-debian", "--root", root, "--nodeps"]
        for package in (PROGRAM, AGENT, FLEET):
            must(*rpm, "--install", only(package))
        version = of(only(PROGRAM), "%{VERSION}").partition("~")[0]
        enter = f"mount -t proc proc {root}/proc; chroot {root} /usr/bin/reveal -V"
        self.assertIn(version, must("unshare", "--mount", "sh", "-ec", enter))
        must("rpm", "--root", root, "--verify", "--nodeps", "reveal", "reveal-agent", "reveal-fleet")
        must(*rpm, "--erase", "reveal-fleet", "reveal-agent", "reveal")
        left = [path for folder in ("opt", "etc", "usr") for path in (root / folder).rglob("*reveal*")
                if "rpm" not in path.parts]
        self.assertEqual(left, [])


class Packaged:
    """A class of tests of these packages in a Debian that runs, with those of a later version beside them."""

    @classmethod
    def boot(cls, name, patterns, *packages):
        cls.root = debian_root(name, "bookworm", ["systemd", "rpm", *packages])
        for version, folder in (("now", PACKAGES), ("later", later_packages())):
            must("mkdir", "-p", cls.root / "packages" / version)
            must("cp", *(file for pattern in patterns for file in folder.glob(pattern)),
                 cls.root / "packages" / version)
        cls.system = BootedRoot(cls.root)
        cls.addClassCleanup(cls.system.close)

    def follow(self, block, folder="now"):
        # What they need is Debian's, of which rpm knows nothing; and Debian's rpm has to be told that it may install.
        commands = re.sub(r"^rpm ", "rpm --force-debian --nodeps ", block, flags=re.M)
        self.system.must("sh", "-ec", f"cd /packages/{folder}\n{commands}")


class Service(Packaged, RootTest):
    @classmethod
    def setUpClass(cls):
        cls.boot("rpm", (PROGRAM, AGENT))
        cls.recording = cls.root / "var/lib/private/reveal/recording"

    def show(self, name):
        return self.system.must("systemctl", "show", "--value", f"--property={name}", "reveal-agent").strip()

    def assert_it_records(self):
        wait_until(lambda: self.recording.is_dir() and recording_size(self.recording) > 0, "frames")
        before = recording_size(self.recording)
        wait_until(lambda: recording_size(self.recording) > before, "the recording to grow")

    def test_the_life_of_the_packages(self):
        (install, start, _), (erase, clear, _) = (block.split("\n") for block in blocks_of("RPM"))
        self.follow(install)
        self.assertEqual(self.show("ActiveState"), "inactive")
        self.follow(start)
        self.assert_it_records()
        self.assertEqual(self.show("DynamicUser"), "yes")
        health = self.system.run("reveal", "health")
        self.assert_status(health, 0, 1)  # 1: it still learns

        # An upgrade goes on in the same recording, with the admin's configuration.
        configuration = self.root / "etc/reveal/reveal.toml"
        configuration.write_text(configuration.read_text().replace("10GiB", "5GiB"))
        pid, size = self.show("MainPID"), recording_size(self.recording)
        self.follow("rpm --upgrade *.rpm", "later")
        self.assertNotEqual(self.show("MainPID"), pid)
        self.assertEqual(self.show("ActiveState"), "active")
        self.assert_it_records()
        self.assertGreaterEqual(recording_size(self.recording), size)
        self.assertIn("5GiB", self.system.must("reveal", "agent", "--print-config"))
        self.assertIn(LATER, self.system.must("rpm", "--query", "reveal"))

        # Removed, it is gone; its recording and a configuration that was changed stay.
        self.follow(erase)
        self.assertEqual(self.system.run("systemctl", "is-active", "reveal-agent").stdout.strip(), "inactive")
        self.assertFalse((self.root / "opt/reveal").exists())
        self.assertTrue((self.root / "etc/reveal/reveal.toml.rpmsave").is_file())
        self.assertGreater(recording_size(self.recording), 0)
        self.follow(clear)
        self.assertEqual(list((self.root / "var/lib").rglob("reveal")), [])


class Fleet(Packaged, FleetTest):
    @classmethod
    def setUpClass(cls):
        cls.boot("rpm_fleet", (PROGRAM, AGENT, FLEET), "nats-server")

    def test_the_life_of_the_analyser(self):
        # What it speaks to the broker with is the package's own.
        self.assertEqual(list(self.root.glob("usr/lib/*/libnats*")), [])
        install, start, _ = blocks_of("The analyser of a fleet")[1].split("\n")
        self.follow(install)
        self.assertEqual(self.show("ActiveState"), "inactive")
        self.follow(start)
        self.assert_it_is_active()
        self.assert_it_has_no_rights()
        self.follow("rpm --install reveal-agent-*.rpm\nsystemctl start reveal-agent")
        self.assert_a_host_comes_to_the_file()

        # An upgrade starts it again, with the admin's words.
        words = self.root / "etc/default/reveal-fleet"
        words.write_text(words.read_text().replace('fleet.db"', 'fleet.db --keep-days 90"'))
        pid = self.show("MainPID")
        self.follow("rpm --upgrade *.rpm", "later")
        self.assertNotEqual(self.show("MainPID"), pid)
        self.assert_it_is_active()
        self.assertIn("--keep-days\x0090", self.system.must("cat", f"/proc/{self.show('MainPID')}/cmdline"))

        # Removed, it is gone; what was found, its user and words that were changed stay.
        self.follow("rpm --erase reveal-fleet")
        self.assertNotEqual(self.system.run("systemctl", "is-active", "reveal-fleet").stdout.strip(), "active")
        self.assertTrue(self.hosts())
        self.assertIn("--keep-days 90", (self.root / "etc/default/reveal-fleet.rpmsave").read_text())
        self.system.must("getent", "passwd", "reveal-fleet")
        left = must("find", self.root / "etc", self.root / "usr", "-name", "*reveal-fleet*").splitlines()
        self.assertEqual(left, [str(self.root / "etc/default/reveal-fleet.rpmsave")])


if __name__ == "__main__":
    unittest.main()
