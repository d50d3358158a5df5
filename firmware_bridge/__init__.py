"""The nerves: shoe, buttons, lamps and the wire between them and the controller.

PROTOCOL.md is the wire. Reading order: framing, messages, session, link; then firmware/ for the other end.
"""
