"""The door of a running table: what its other processes may say to the controller, and what it answers."""
