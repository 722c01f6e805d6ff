#!/usr/bin/env python3
"""Says what the archive for any Linux is made of, as SPDX 2.3 in JSON, and puts the licenses of it into the archive.

Nothing is listed by hand. Libraries that are in the archive are those that were copied there; what was compiled
into the program are the packages that own the headers which the compiler read, as ninja noted; the page has uPlot.
Packages are Debian's, named with their versions as `dpkg` knows them.

usage: sbom.py BUILD_DIR ROOT LIBRARIES [SYSROOT]
ROOT is the archive's folder, LIBRARIES a file with the path of each library that was copied, and SYSROOT the folder
(sysroot.sh) that a cross build took libraries and headers from. SOURCE_DATE_EPOCH is the time that it bears.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parent.parent
UPLOT = TREE / "build" / "deps" / "node_modules" / "uplot"
FIELDS = "${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\n"


def said(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


class Debian:
    """The packages of this host, or of a folder that is the root of others."""

    def __init__(self, root="/"):
        self.root = os.path.realpath(root).rstrip("/")
        self.query = ("dpkg-query", f"--admindir={self.root}/var/lib/dpkg")

    def owners(self, paths):
        """Returns the package of each path, which is below the root, that has one."""
        # A merged /usr makes two names of a file, of which dpkg knows one.
        within = {path: path.removeprefix(self.root) for path in paths}
        asked = {name: path for path, own in within.items() for name in (own, own.removeprefix("/usr"), "/usr" + own)}
        out = subprocess.run([*self.query, "--search", *sorted(asked)], capture_output=True, text=True).stdout
        found = {}
        for line in out.splitlines():
            package, _, name = line.partition(": ")
            if name in asked and "," not in package and " " not in package:
                found[asked[name]] = package
        return found

    def facts_of(self, package):
        keys = ("name", "version", "architecture", "source", "source_version")
        return dict(zip(keys, said(*self.query, "--show", "--showformat", FIELDS, package).split()))

    def license_of(self, name):
        return f"{self.root}/usr/share/doc/{name}/copyright"


HOST = Debian()


def headers_read(build):
    """Returns the headers that the compiler read for this build, and that are not of the project."""
    lines = said("ninja", "-C", str(build), "-t", "deps").splitlines()
    named = {os.path.realpath(build / line.strip()) for line in lines if line.startswith("    ")}
    return sorted(path for path in named if "/usr/" in path)


def compiler_of(build):
    """Returns the package of the compiler."""
    told = next(build.glob("CMakeFiles/*/CMakeCXXCompiler.cmake")).read_text()
    path = os.path.realpath(re.search(r'set\(CMAKE_CXX_COMPILER "([^"]+)"\)', told)[1])
    return HOST.facts_of(HOST.owners([path])[path])


def identifier(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def element(kind, name, version, purl, **more):
    return {"SPDXID": identifier(kind, name), "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": purl}], **more}


def debian_element(facts):
    purl = f"pkg:deb/debian/{facts['name']}@{facts['version']}?arch={facts['architecture']}".replace("+", "%2B")
    return element("deb", facts["name"], facts["version"], purl,
                   sourceInfo=f"built from the Debian source package {facts['source']} {facts['source_version']}")


def file_element(root, path):
    name = str(path.relative_to(root))
    return {"SPDXID": identifier("file", name), "fileName": f"./{name}",
            "checksums": [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(path.read_bytes()).hexdigest()}],
            "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"}


def keep_license(root, name, source):
    folder = root / "share" / "doc" / "reveal" / "third_party" / name
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, folder / "copyright")


class Bill:
    def __init__(self, root):
        self.root = root
        name, version = re.fullmatch(r"(reveal)-(.*)-[^-]*", root.name).groups()
        self.program = element("package", name, version, f"pkg:generic/{name}@{version}", licenseDeclared="Apache-2.0")
        self.packages = {self.program["SPDXID"]: self.program}
        self.files = []
        self.relations = [("SPDXRef-DOCUMENT", "DESCRIBES", self.program["SPDXID"])]

    def add(self, package, relation, license_of=None):
        """Adds a package that has that relation to the program or, in SPDX's words, that the program has to it."""
        mine = self.program["SPDXID"]
        self.packages[package["SPDXID"]] = package
        self.relations.append((mine, relation, package["SPDXID"]) if not relation.endswith("_OF") else
                              (package["SPDXID"], relation, mine))
        if license_of:
            keep_license(self.root, package["name"], license_of)

    def add_file(self, path, package):
        entry = file_element(self.root, path)
        self.files.append(entry)
        self.relations.append((self.program["SPDXID"], "CONTAINS", entry["SPDXID"]))
        if package:
            self.relations.append((entry["SPDXID"], "GENERATED_FROM", package["SPDXID"]))

    def text(self):
        created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
        return json.dumps({
            "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": self.root.name,
            "documentNamespace": f"https://reveal.example/spdx/{self.root.name}",
            "creationInfo": {"created": f"{created:%Y-%m-%dT%H:%M:%SZ}", "creators": ["Tool: reveal-packaging-sbom"]},
            "packages": [self.packages[key] for key in sorted(self.packages)],
            "files": sorted(self.files, key=lambda entry: entry["fileName"]),
            "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                              for a, kind, b in sorted(set(self.relations))],
        }, indent=1) + "\n"


def add_headers(bill, build, debian):
    """Adds the packages whose headers were compiled in: of the build's root or, as the compiler's own, of this host."""
    headers = headers_read(build)
    of_root = [path for path in headers if path.startswith(debian.root + "/")]
    of_host = sorted(set(headers) - set(of_root))
    for source, paths in ((debian, of_root), (HOST, of_host)):
        for package in sorted(set(source.owners(paths).values())):
            found = debian_element(source.facts_of(package))
            bill.add(found, "STATIC_LINK", source.license_of(found["name"]))


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit("usage: sbom.py BUILD_DIR ROOT LIBRARIES [SYSROOT]")
    build, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    debian = Debian(*sys.argv[4:])
    bill = Bill(root)
    libraries = {pathlib.Path(path).name: os.path.realpath(path)
                 for path in pathlib.Path(sys.argv[3]).read_text().split()}
    owned = debian.owners(libraries.values())
    for name, path in sorted(libraries.items()):
        if path not in owned:
            sys.exit(f"sbom.py: {path}: no Debian package has this library; install it from Debian")
        package = debian_element(debian.facts_of(owned[path]))
        bill.add(package, "DYNAMIC_LINK", debian.license_of(package["name"]))
        bill.add_file(root / "lib" / "reveal" / name, package)
    add_headers(bill, build, debian)
    if (UPLOT / "package.json").is_file():
        version = json.loads((UPLOT / "package.json").read_text())["version"]
        bill.add(element("npm", "uplot", version, f"pkg:npm/uplot@{version}", licenseDeclared="MIT"), "CONTAINS",
                 UPLOT / "LICENSE")
    bill.add(debian_element(compiler_of(build)), "BUILD_TOOL_OF")
    bill.add_file(root / "bin" / "reveal", None)
    bill.add_file(root / "lib" / "reveal" / "reveal", None)
    sys.stdout.write(bill.text())


if __name__ == "__main__":
    main()
