"""What every card table shares. Pure: imports the standard library's types and msgspec, nothing else."""
