"""The window: what people at and around the table see and may do."""
