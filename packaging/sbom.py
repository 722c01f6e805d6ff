#!/usr/bin/env python3
"""Says what the archive for any Linux is made of, as SPDX 2.3 in JSON, and puts the licenses of it into the archive.

Nothing is listed by hand. Libraries that are in the archive are those that were copied there; what was compiled
into the program are the packages that own the headers which the compiler read, as ninja noted; the page has uPlot.
Packages are Debian's, named with their versions as `dpkg` knows them.

usage: sbom.py BUILD_DIR ROOT LIBRARIES     ROOT is the archive's folder, LIBRARIES a file with the path of each
                                            library that was copied; SOURCE_DATE_EPOCH is the time that it bears
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


def owners(paths):
    """Returns the Debian package of each path that has one."""
    # A merged /usr makes two names of a file, of which dpkg knows one.
    asked = {name: path for path in paths for name in (path, path.removeprefix("/usr"), "/usr" + path)}
    out = subprocess.run(["dpkg-query", "--search", *sorted(asked)], capture_output=True, text=True).stdout
    found = {}
    for line in out.splitlines():
        package, _, name = line.partition(": ")
        if name in asked and "," not in package and " " not in package:
            found[asked[name]] = package
    return found


def facts_of(package):
    keys = ("name", "version", "architecture", "source", "source_version")
    return dict(zip(keys, said("dpkg-query", "--show", "--showformat", FIELDS, package).split()))


def headers_read(build):
    """Returns the headers of the system that the compiler read for this build."""
    lines = said("ninja", "-C", str(build), "-t", "deps").splitlines()
    named = {line.strip() for line in lines if line.startswith("    /usr/")}
    return sorted({os.path.realpath(path) for path in named})


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


def debian_license(name):
    return f"/usr/share/doc/{name}/copyright"


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: sbom.py BUILD_DIR ROOT LIBRARIES")
    build, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    bill = Bill(root)
    libraries = {pathlib.Path(path).name: os.path.realpath(path)
                 for path in pathlib.Path(sys.argv[3]).read_text().split()}
    owned = owners(libraries.values())
    for name, path in sorted(libraries.items()):
        if path not in owned:
            sys.exit(f"sbom.py: {path}: no Debian package has this library; install it from Debian")
        package = debian_element(facts_of(owned[path]))
        bill.add(package, "DYNAMIC_LINK", debian_license(package["name"]))
        bill.add_file(root / "lib" / "reveal" / name, package)
    for package in sorted(set(owners(headers_read(build)).values())):
        found = debian_element(facts_of(package))
        bill.add(found, "STATIC_LINK", debian_license(found["name"]))
    if (UPLOT / "package.json").is_file():
        version = json.loads((UPLOT / "package.json").read_text())["version"]
        bill.add(element("npm", "uplot", version, f"pkg:npm/uplot@{version}", licenseDeclared="MIT"), "CONTAINS",
                 UPLOT / "LICENSE")
    compiler = facts_of("g++-" + said("g++", "-dumpversion").strip().partition(".")[0])
    bill.add(debian_element(compiler), "BUILD_TOOL_OF")
    bill.add_file(root / "bin" / "reveal", None)
    bill.add_file(root / "lib" / "reveal" / "reveal", None)
    sys.stdout.write(bill.text())


if __name__ == "__main__":
    main()
