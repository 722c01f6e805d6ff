#!/usr/bin/python3
"""Makes an nkey, by which a program tells NATS' server who it is.

    new_key.py FILE

writes its seed into FILE, which nobody else may read, and prints its public half, which belongs into the server's
configuration and beside FILE into that of the program. It needs openssl.
"""

import base64
import binascii
import os
import subprocess
import sys

# The first byte of a key in base32 is a letter for what it is of.
KINDS = {"operator": 14 << 3, "account": 0, "user": 20 << 3}
SEED = 18 << 3
# RFC 8410: what comes before the 32 bytes of an Ed25519 key in PKCS 8.
PKCS8 = bytes.fromhex("302e020100300506032b657004220420")
BYTES = 32


def encode(data):
    """Base32 without padding, behind the data their CRC-16 (XMODEM), its low byte first."""
    return base64.b32encode(data + binascii.crc_hqx(data, 0).to_bytes(2, "little")).decode().rstrip("=")


def decode(text):
    data = base64.b32decode(text + "=" * (-len(text) % 8))
    if binascii.crc_hqx(data[:-2], 0).to_bytes(2, "little") != data[-2:]:
        raise ValueError("no nkey: its checksum is wrong")
    return data[:-2]


def seed_of(secret, kind="user"):
    """The seed of 32 secret bytes, as NATS writes it."""
    number = KINDS[kind]
    return encode(bytes([SEED | number >> 5, (number & 31) << 3]) + secret)


def secret_of(seed):
    return decode(seed)[2:]


def pkcs8(secret):
    """The secret as openssl reads it (DER)."""
    return PKCS8 + secret


def public_of(secret, kind="user"):
    """The public key of 32 secret bytes, as NATS writes it."""
    made = subprocess.run(["openssl", "pkey", "-inform", "DER", "-pubout", "-outform", "DER"], input=pkcs8(secret),
                          stdout=subprocess.PIPE, check=True)
    return encode(bytes([KINDS[kind]]) + made.stdout[-BYTES:])


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: new_key.py FILE")
    secret = os.urandom(BYTES)
    try:
        with open(os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(seed_of(secret) + "\n")
    except OSError as error:
        sys.exit(f"new_key.py: {error}")
    print(public_of(secret))


if __name__ == "__main__":
    main()
