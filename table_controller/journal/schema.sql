-- One gaming day of one table. Rows are only ever added; docs/journal-format.md says how the hashes are made.
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,
    at_ns INTEGER NOT NULL,
    mono_ns INTEGER NOT NULL,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    round INTEGER,
    source TEXT NOT NULL,
    source_seq INTEGER,
    boot_id TEXT,
    body BLOB NOT NULL,
    salt BLOB NOT NULL,
    prev BLOB NOT NULL,
    hash BLOB NOT NULL
) STRICT;

CREATE TRIGGER never_changed BEFORE UPDATE ON journal BEGIN
    SELECT RAISE(ABORT, 'a record is never changed; add a correction');
END;

CREATE TRIGGER never_removed BEFORE DELETE ON journal BEGIN
    SELECT RAISE(ABORT, 'a record is never removed');
END;
