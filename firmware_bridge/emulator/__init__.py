"""The Python twin of a board, a null modem that spoils what passes, and pseudo-terminals to hang both on."""
