"""Installed for good: releases side by side in one folder, one of them current, changed in a single step."""
