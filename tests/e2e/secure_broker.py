"""A broker with TLS and users: docs/examples/nats/nats-server.conf itself, with this test's ports, paths, ids and keys
in place of those in it, or the same with JWTs in place of its users."""

import re
import subprocess

from broker import Broker
from nats_keys import EXAMPLES

EXAMPLE = (EXAMPLES / "nats-server.conf").read_text()
EXAMPLE_ID = "abcdefghijklmnopqrstuvwxyz"
# A user of the example, with its permissions.
USER = re.compile(r"    \{\n      nkey: (\w+)\n      permissions: \{\n        publish: \[(.*?)\]\n        subscribe: \[(.*?)\]\n"
                  r"      \}\n    \}\n", re.S)


def make_certificates(folder):
    """An authority, and a server's certificate of it for localhost and 127.0.0.1."""
    def openssl(*words):
        subprocess.run(["openssl", *map(str, words)], cwd=folder, check=True, capture_output=True)

    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
            "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem")
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=broker", "-keyout",
            "key.pem", "-out", "request.pem")
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    openssl("x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
            "-extfile", "names", "-out", "cert.pem")


def subjects(text):
    return re.findall(r'"([^"]+)"', text)


def roles():
    """What the example lets each of its users do: by the name of the key its subjects to publish and to subscribe."""
    return {name: (subjects(publish), subjects(subscribe)) for name, publish, subscribe in USER.findall(EXAMPLE)}


def replaced(text, words):
    for old, new in words.items():
        text = text.replace(old, new)
    return text


class SecureBroker(Broker):
    """`users` makes the configuration with users of the one without: with_nkeys(), with_operator()."""

    def __init__(self, folder, users):
        super().__init__(folder)
        make_certificates(folder)
        self.url = f"tls://127.0.0.1:{self.port}"
        self.authority = folder / "ca.pem"
        self._base = replaced(EXAMPLE, {"0.0.0.0:4222": f"127.0.0.1:{self.port}", "/var/lib/nats": f"{folder}/nats",
                                        "/etc/nats/cert.pem": f"{folder}/cert.pem", "/etc/nats/key.pem": f"{folder}/key.pem"})
        self.set_users(users)

    def set_users(self, users):
        """What is in force from its start on, or after a SIGHUP."""
        self._configuration.write_text(users(self._base))


def with_nkeys(hosts, others):
    """Returns what makes the example one with these users. `hosts`: by their ids their public keys; `others`: by their
    names in the example the public keys of those who are no hosts."""
    def users(text):
        host = next(match.group() for match in USER.finditer(text) if match.group(1) == "UAHOST")
        entries = [replaced(host, {EXAMPLE_ID: one, "UAHOST": key}) for one, key in hosts.items()]
        return replaced(text.replace(host, "".join(entries)), others)
    return users


def with_operator(operator):
    """Returns what puts an operator's JWTs in the place of the example's users."""
    def users(text):
        return text[:text.index("authorization {")] + operator.configuration()
    return users
