"""Commands of the record. Exit status: 0 all right, 1 something checked is wrong, 2 the request cannot be answered."""
