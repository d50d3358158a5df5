"""The dispute desk and the reports: recorded days, read again and never written."""
