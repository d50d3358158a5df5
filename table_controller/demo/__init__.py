"""The whole table without hardware: boards on pseudo-terminals, a scripted dealer and players, seeded chance."""
