"""A zip file that is the only possible one for its members, so that a changed byte anywhere in it is seen."""

import io
import zipfile
from collections.abc import Mapping

from table_controller.journal.errors import JournalDamaged

READABLE = 0o644 << 16  # the file's rights, where a zip keeps them
LIMIT_BYTES = 2 << 30  # what is unpacked into memory; a bundle with an hour of video stays below


def pack(members: Mapping[str, bytes]) -> bytes:
    """Members sorted by name, stored as they are, dated 1980: the same members always give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(members):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = READABLE
            archive.writestr(entry, members[name])
    return buffer.getvalue()


def unpack(content: bytes) -> dict[str, bytes]:
    """The members; raises JournalDamaged unless the bytes are exactly those that `pack` makes of them."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(info.file_size for info in archive.infolist()) > LIMIT_BYTES:
                raise JournalDamaged("the bundle is larger than any that is made here")
            if any(info.compress_type != zipfile.ZIP_STORED for info in archive.infolist()):
                raise JournalDamaged("the bundle is compressed; none that is made here is")
            members = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, KeyError) as error:
        raise JournalDamaged(f"the bundle cannot be opened: {error}") from None
    return members


def is_as_packed(content: bytes, members: Mapping[str, bytes]) -> bool:
    """Whether nothing but these members is in the file."""
    return pack(members) == content
