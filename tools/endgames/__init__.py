"""Exact endings: numbering positions in bulk, asking the rules for their successors, working backwards."""
