"""A certificate of the house's own, for a pit network that reaches no authority; tablets are told to trust it once."""

import ipaddress
import os
import socket
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

DAYS: Final = 825  # browsers refuse longer ones


def certificate(folder: Path, names: Sequence[str]) -> tuple[Path, Path]:
    """Certificate and key, made where there are none; `names` are what tablets call this machine."""
    kept, key_path = folder / "window.crt", folder / "window.key"
    if not (kept.exists() and key_path.exists()):
        folder.mkdir(parents=True, exist_ok=True)
        _make(kept, key_path, [*names, socket.gethostname(), "localhost", "127.0.0.1"])
    return kept, key_path


def fingerprint(path: Path) -> str:
    """What a tablet's browser shows of the certificate."""
    return x509.load_pem_x509_certificate(path.read_bytes()).fingerprint(hashes.SHA256()).hex(":").upper()


def _make(kept: Path, key_path: Path, names: Sequence[str]) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    begin = datetime.now(UTC) - timedelta(days=1)
    made = (
        x509.CertificateBuilder(
            subject, subject, key.public_key(), x509.random_serial_number(), begin, begin + timedelta(days=DAYS)
        )
        .add_extension(x509.SubjectAlternativeName(list(map(_name, dict.fromkeys(names)))), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    with os.fdopen(os.open(key_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        file.write(private)
    kept.write_bytes(made.public_bytes(serialization.Encoding.PEM))


def _name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)
