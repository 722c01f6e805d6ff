"""Who is who for NATS' server: nkeys, made by docs/examples/nats/new_key.py, and JWTs of an operator, of accounts and
of their users, made and signed here (Ed25519 by openssl)."""

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from reveal_process import REPOSITORY

EXAMPLES = REPOSITORY / "docs" / "examples" / "nats"
sys.path.insert(0, str(EXAMPLES))
import new_key  # noqa: E402

NO_LIMITS = {"subs": -1, "data": -1, "payload": -1}
ACCOUNT_LIMITS = {**NO_LIMITS, "imports": -1, "exports": -1, "wildcards": True, "conn": -1, "leaf": -1}
JETSTREAM_LIMITS = {"mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1}


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Key:
    """An nkey: `public`, and its seed in `seed`."""

    def __init__(self, kind="user"):
        self._secret = os.urandom(new_key.BYTES)
        self.seed = new_key.seed_of(self._secret, kind)
        self.public = new_key.public_of(self._secret, kind)

    def sign(self, data):
        with tempfile.TemporaryDirectory(prefix="reveal_key_") as folder:
            key, text = pathlib.Path(folder) / "key", pathlib.Path(folder) / "text"
            key.write_bytes(new_key.pkcs8(self._secret))
            text.write_bytes(data)
            return subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", key, "-in", text],
                                  stdout=subprocess.PIPE, check=True).stdout


def jwt(issuer, subject, name, claims):
    """A JWT of NATS' second version: `issuer` (a Key) says of `subject` (a public key) what `claims` are."""
    head = {"typ": "JWT", "alg": "ed25519-nkey"}
    body = {"jti": base64url(os.urandom(16)), "iat": int(time.time()), "iss": issuer.public, "name": name, "sub": subject,
            "nats": {**claims, "version": 2}}
    text = ".".join(base64url(json.dumps(part).encode()) for part in (head, body))
    return f"{text}.{base64url(issuer.sign(text.encode()))}"


def permissions(publish, subscribe):
    return {"pub": {"allow": publish}, "sub": {"allow": subscribe}}


def scope(key, role, publish, subscribe):
    """A signing key of an account that makes users with these permissions alone."""
    return {"kind": "user_scope", "key": key.public, "role": role,
            "template": {**permissions(publish, subscribe), **NO_LIMITS}}


class Operator:
    """An operator with an account for the fleet, whose `signing_keys` are public keys or scopes."""

    def __init__(self, signing_keys):
        self._key = Key("operator")
        self.account = Key("account")
        self._system = Key("account")
        self._signing_keys = signing_keys

    def configuration(self):
        """What the server's configuration says of them, in place of users: all that it knows is in it."""
        own = jwt(self._key, self._key.public, "operator",
                  {"type": "operator", "system_account": self._system.public})
        fleet = jwt(self._key, self.account.public, "fleet",
                    {"type": "account", "limits": {**ACCOUNT_LIMITS, **JETSTREAM_LIMITS},
                     "signing_keys": self._signing_keys})
        system = jwt(self._key, self._system.public, "system", {"type": "account", "limits": ACCOUNT_LIMITS})
        return (f"operator: {own}\nsystem_account: {self._system.public}\nresolver: MEMORY\nresolver_preload: {{\n"
                f"  {self.account.public}: {fleet}\n  {self._system.public}: {system}\n}}\n")

    def user(self, signer, key, name, claims=None):
        """The JWT of a user. `signer` is a scoped signing key, whose template says what the user may; else the account,
        and `claims` say it."""
        own = claims if claims is not None else {}
        limits = NO_LIMITS if claims is not None else {}
        return jwt(signer, key.public, name,
                   {**own, **limits, "type": "user",
                    **({} if signer is self.account else {"issuer_account": self.account.public})})


def credentials(token, key):
    """A user's credentials as NATS' tools write them."""
    return (f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{key.seed}\n------END USER NKEY SEED------\n")
