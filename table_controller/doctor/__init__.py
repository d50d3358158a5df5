"""The technician's page of green and red: what is well, what is not, and the step that mends it."""
