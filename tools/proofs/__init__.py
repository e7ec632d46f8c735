"""Proving the value of a start position: proof-number search down to the tables, certificates, and their verifier."""
