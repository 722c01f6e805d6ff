"""reveal agent over TLS: who is let in, what they may do, and what becomes of those who are not."""

import base64
import hashlib
import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import unittest

from reveal_process import PATIENCE_S, wait_until
from running_agent import AgentRun

# Of "U*U": the first test vector of Openwall's crypt_blowfish.
HASH = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
TOKEN = "the-token-of-the-test"
REFUSED = (ssl.SSLError, ConnectionError, http.client.RemoteDisconnected)


def basic(name, password):
    return {"Authorization": "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()}


READER = {"Authorization": "Bearer " + TOKEN}


class WebAccessTest(AgentRun):
    def setUp(self):
        super().setUp()
        self.cert, self.key = self.make_certificate("server", "localhost")
        self.write_private("users", f"# who may\nann:{HASH}\nroot:{HASH}:operator\n")
        digest = hashlib.sha256(TOKEN.encode()).hexdigest()
        self.write_private("tokens", f"prometheus:{digest}\n")
        self.tls = f'[web.tls]\ncert_file = "{self.cert}"\nkey_file = "{self.key}"\n'
        self.auth = (f'[web.auth]\nbasic_users_file = "{self.folder}/users"\n'
                     f'tokens_file = "{self.folder}/tokens"\n')

    def make_certificate(self, name, host):
        cert, key = self.folder / f"{name}.pem", self.folder / f"{name}.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                        "-nodes", "-days", "2", "-subj", f"/CN={name}", "-keyout", key, "-out", cert,
                        "-addext", f"subjectAltName=DNS:{host},IP:127.0.0.1"],
                       check=True, capture_output=True)
        key.chmod(0o600)
        return cert, key

    def write_private(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o600)
        return path

    def configure(self, *tables, listen="127.0.0.1:0"):
        text = self.settings.replace("127.0.0.1:0", listen)
        self.configuration.write_text(text + "".join(tables))

    def start_web(self):
        agent = self.start_agent()
        wait_until(self.port, "the address")
        return agent

    def context(self, client=None, trusted=None):
        context = ssl.create_default_context(cafile=trusted or self.cert)
        if client:
            context.load_cert_chain(*client)
        return context

    def request(self, path, headers=(), method="GET", context=None, body=None):
        """Returns the answer, with its text."""
        connection = http.client.HTTPSConnection("127.0.0.1", self.port(), timeout=PATIENCE_S,
                                                 context=context or self.context())
        try:
            connection.request(method, path, body=body, headers=dict(headers))
            answer = connection.getresponse()
            answer.text = answer.read().decode()
            return answer
        finally:
            connection.close()

    def status(self, *words, **options):
        return self.request(*words, **options).status

    def certificate(self):
        """Returns what the server shows, whatever it is worth."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        with socket.create_connection(("127.0.0.1", self.port()), PATIENCE_S) as plain:
            with context.wrap_socket(plain) as tls:
                return ssl.DER_cert_to_PEM_cert(tls.getpeercert(binary_form=True))

    def test_lets_in_those_it_knows_and_operators_change_something(self):
        self.configure(self.tls, self.auth)
        self.start_web()
        self.wait_recorded()
        path = "/api/v1/status"
        unknown = self.request(path)
        self.assertEqual(unknown.status, 401)
        self.assertIn('Basic realm="Reveal"', unknown.getheader("WWW-Authenticate"))
        for headers in (basic("ann", "U*u"), basic("bob", "U*U"), basic("", ""), {"Authorization": "Bearer x"},
                        {"Authorization": "Basic x"}, {"Authorization": ""}):
            self.assertEqual(self.status(path, headers), 401, headers)
        for headers in (basic("ann", "U*U"), basic("root", "U*U"), READER):
            answer = self.request(path, headers)
            self.assertEqual(answer.status, 200, headers)
            self.assertEqual(json.loads(answer.text)["schema"], "reveal.status")
        self.assertIn("reveal_http_requests_total", self.request("/metrics", READER).text)
        self.assertIn(self.status("/-/healthy"), (200, 503))
        self.assertIn(self.status("/-/ready"), (200, 503))
        # A name of the certificate is one of this host's, another is not.
        self.assertEqual(self.status(path, {**READER, "Host": "localhost:1"}), 200)
        self.assertEqual(self.status(path, {**READER, "Host": "evil.example"}), 421)

        for headers in (basic("ann", "U*U"), READER):
            self.assertEqual(self.status("/-/mark", headers, "POST", body="no"), 403, headers)
            self.assertEqual(self.status("/-/reload", headers, "POST"), 403, headers)
        self.assertEqual(self.status("/-/mark", method="POST", body="no"), 401)
        operator = basic("root", "U*U")
        foreign = {**operator, "Origin": "https://evil.example"}
        self.assertEqual(self.status("/-/mark", foreign, "POST", body="no"), 403)
        own = f"https://127.0.0.1:{self.port()}"
        marked = self.request("/-/mark", {**operator, "Origin": own}, "POST", body="by an operator")
        self.assertEqual((marked.status, json.loads(marked.text)["told"]), (200, "noted"))
        self.assertEqual(self.status("/-/mark", operator, "POST", body="x" * 5000), 413)
        # Over the unix socket nobody is asked.
        wait_until(lambda: self.health().returncode != 3, "an answer over the socket")

    def test_a_stream_asks_once_who_reads_it(self):
        self.configure(self.tls, self.auth)
        self.start_web()
        self.assertEqual(self.status("/api/v1/stream"), 401)
        for headers in (READER, basic("ann", "U*U")):  # which has to be checked first
            connection = http.client.HTTPSConnection("127.0.0.1", self.port(), timeout=PATIENCE_S,
                                                     context=self.context())
            self.addCleanup(connection.close)
            connection.request("GET", "/api/v1/stream", headers=headers)
            answer = connection.getresponse()
            self.assertEqual(answer.status, 200)
            lines = []
            while lines.count("event: window") < 2:
                lines.append(answer.readline().decode().strip())
            self.assertIn("event: hello", lines)

    def test_wrong_passwords_are_bounded_and_known_ones_are_not(self):
        self.configure(self.tls, self.auth)
        self.start_web()
        known = basic("ann", "U*U")
        self.assertEqual(self.status("/api/v1/status", known), 200)
        for _ in range(1000):
            answer = self.request("/api/v1/status", basic("ann", "guess"))
            if answer.status != 401:
                break
        self.assertEqual((answer.status, answer.getheader("Retry-After")), (429, "1"))
        self.assertEqual(self.status("/api/v1/status", known), 200)
        self.assertEqual(self.status("/api/v1/status", READER), 200)

    def test_old_versions_of_tls_and_plain_text_are_refused(self):
        self.configure(self.tls, self.auth)
        agent = self.start_web()
        old = self.context()
        old.set_ciphers("DEFAULT@SECLEVEL=0")
        old.minimum_version = ssl.TLSVersion.TLSv1_1
        old.maximum_version = ssl.TLSVersion.TLSv1_1
        with self.assertRaisesRegex(ssl.SSLError, "PROTOCOL_VERSION"):
            self.request("/-/healthy", context=old)
        second = self.context()
        second.maximum_version = ssl.TLSVersion.TLSv1_2
        self.assertEqual(self.status("/api/v1/status", READER, context=second), 200)
        with socket.create_connection(("127.0.0.1", self.port()), PATIENCE_S) as plain:
            plain.sendall(b"GET /-/healthy HTTP/1.1\r\nHost: localhost\r\n\r\n")
            told = b""
            while got := plain.recv(4096):
                told += got
        self.assertTrue(told.startswith(b"HTTP/1.1 400 "), told)
        self.assertIn(b"TLS", told)
        self.end(agent)
        self.configure(self.tls + 'min_version = "TLS13"\n', self.auth)
        self.start_web()
        self.assertEqual(self.status("/api/v1/status", READER), 200)
        with self.assertRaisesRegex(ssl.SSLError, "PROTOCOL_VERSION"):
            self.request("/-/healthy", context=second)

    def test_clients_that_never_finish_their_handshake_stop_nobody(self):
        self.configure(self.tls, self.auth)
        self.start_web()
        silent = []
        for i in range(300):
            client = socket.create_connection(("127.0.0.1", self.port()), PATIENCE_S)
            self.addCleanup(client.close)
            silent.append(client)
            if i % 2 == 0:
                client.sendall(b"\x16\x03\x01\x02\x00\x01")
        self.assertEqual(self.status("/api/v1/status", READER), 200)
        # They are cut, the oldest first, and the last by the time that a handshake may take.
        for client in silent:
            client.settimeout(PATIENCE_S)
            try:
                while client.recv(4096):
                    pass
            except ConnectionError:
                pass
        self.assertEqual(self.status("/api/v1/status", READER), 200)

    def test_asks_for_certificates_of_clients(self):
        known = self.make_certificate("known", "known")
        unknown = self.make_certificate("unknown", "unknown")
        authority = f'client_ca_file = "{known[0]}"\n'
        for kind, more, let_in, kept_out in (
                ("RequestClientCert", "", (None, known, unknown), ()),
                ("RequireAnyClientCert", "", (known, unknown), (None,)),
                ("VerifyClientCertIfGiven", authority, (None, known), (unknown,)),
                ("RequireAndVerifyClientCert", authority, (known,), (None, unknown))):
            with self.subTest(kind):
                self.configure(self.tls + f'client_auth_type = "{kind}"\n' + more)
                agent = self.start_web()
                for client in let_in:
                    self.assertEqual(self.status("/api/v1/status", context=self.context(client)), 200)
                    # A certificate is not a role.
                    self.assertEqual(self.status("/-/reload", method="POST", context=self.context(client)), 403)
                for client in kept_out:
                    with self.assertRaises(REFUSED):
                        self.request("/api/v1/status", context=self.context(client))
                self.end(agent)

    def replace(self, new, old):
        os.replace(new[1], old[1])
        os.replace(new[0], old[0])

    def test_reads_certificates_and_users_anew_while_it_runs(self):
        self.configure(self.tls, self.auth)
        agent = self.start_web()
        first = self.certificate()
        self.assertEqual(first.split(), self.cert.read_text().split())
        self.replace(self.make_certificate("next", "localhost"), (self.cert, self.key))
        wait_until(lambda: self.certificate() != first, "the new certificate")
        second = self.certificate()
        self.assertEqual(second.split(), self.cert.read_text().split())
        wait_until(lambda: "the certificates are read anew" in agent.said.text, "the log")

        good = self.cert.read_text()
        (self.folder / "good").write_text(good)

        def reason():
            context = self.context(trusted=self.folder / "good")
            return json.loads(self.request("/api/v1/status", READER, context=context).text)["reason"]

        self.cert.write_text("no certificate\n")
        wait_until(lambda: "the older certificates hold" in reason(), "the state")
        self.assertIn(str(self.cert), reason())
        self.assertEqual(self.certificate(), second)
        self.cert.write_text(good)
        wait_until(lambda: "certificates" not in reason(), "the state")

        self.assertEqual(self.status("/api/v1/status", basic("ann", "U*U")), 200)
        self.write_private("users", f"bob:{HASH}\n")
        wait_until(lambda: self.status("/api/v1/status", basic("bob", "U*U")) == 200, "the new user")
        self.assertEqual(self.status("/api/v1/status", basic("ann", "U*U")), 401)
        self.write_private("users", "bob:secret\n")
        wait_until(lambda: "the older users and tokens hold" in reason(), "the state")
        self.assertEqual(self.status("/api/v1/status", basic("bob", "U*U")), 200)
        self.assertNotIn("secret", agent.said.text)

    def check(self):
        return self.reveal(*self.words(), "--check-config")

    def test_other_hosts_need_tls_and_a_name(self):
        line = next(number for number, text in enumerate(self.settings.splitlines(), 1) if "listen" in text)
        self.configure(listen="0.0.0.0:0")
        for run in (self.check(), self.reveal(*self.words())):
            self.assert_complains(run, 2, f"reveal.toml, line {line}: listen: 0.0.0.0:0", "nothing is encrypted",
                                  "[web.tls]", "[web.auth]", "insecure = true")
        self.assertFalse(self.state.exists(), "nothing was started")
        self.configure(self.tls, listen="0.0.0.0:0")
        self.assert_complains(self.check(), 2, "nobody is asked")
        self.configure(self.auth, listen="0.0.0.0:0")
        self.assert_complains(self.check(), 2, "nothing is encrypted")
        for tables in ((self.tls, self.auth),
                       (self.tls + f'client_ca_file = "{self.cert}"\n'
                        'client_auth_type = "RequireAndVerifyClientCert"\n',)):
            self.configure(*tables, listen="0.0.0.0:0")
            self.assert_status(self.check(), 0)
        self.settings = self.settings.replace("[web]\n", "[web]\ninsecure = true\n")
        self.configure(listen="0.0.0.0:0")
        self.assert_status(self.check(), 0)

    def test_wrong_files_are_found_before_anything_starts(self):
        self.configure(self.tls, self.auth)
        self.assert_status(self.check(), 0)
        users = self.folder / "users"
        users.chmod(0o644)
        self.assert_complains(self.check(), 2, "basic_users_file", str(users), "chmod o-rwx")
        self.write_private("users", "\nann:hunter2\n")
        refused = self.check()
        self.assert_complains(refused, 2, "basic_users_file", f"{users}, line 2", "htpasswd")
        self.assertNotIn("hunter2", refused.stderr)
        self.write_private("users", "")
        self.write_private("tokens", "prometheus:abc\n")
        self.assert_complains(self.check(), 2, "tokens_file", "tokens, line 1", "sha256sum")
        self.key.chmod(0o604)
        self.configure(self.tls)
        self.assert_complains(self.check(), 2, "key_file", str(self.key), "chmod o-rwx")
        self.key.unlink()
        self.make_certificate("other", "localhost")[1].rename(self.key)
        self.assert_complains(self.check(), 2, "key_file", str(self.key), "not the key of the certificate")
        self.configure(f'[web.tls]\ncert_file = "{self.cert}"\n')
        self.assert_complains(self.check(), 2, "cert_file", "belong together")
        self.configure(self.tls + 'client_auth_type = "RequireAndVerifyClientCert"\n')
        self.assert_complains(self.check(), 2, "client_ca_file")

    def test_a_reload_with_wrong_files_changes_nothing(self):
        self.configure(self.tls, self.auth)
        agent = self.start_web()
        port = self.port()
        self.configure(self.tls, self.auth.replace("/tokens", "/nothing"))
        agent.send_signal(signal.SIGHUP)
        wait_until(lambda: "not read anew" in agent.said.text, "the complaint")
        self.assertIn("tokens_file", agent.said.text)
        self.assertEqual(self.port(), port)
        self.assertEqual(self.status("/api/v1/status", READER), 200)


if __name__ == "__main__":
    unittest.main()
