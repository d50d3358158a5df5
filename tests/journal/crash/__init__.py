"""Kills a writer between any two system calls, and loses what it had not synced."""
