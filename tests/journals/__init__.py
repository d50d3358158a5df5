"""A sealed day of every released version. They are never changed, and every later version must replay them."""
