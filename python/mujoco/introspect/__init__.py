"""What the C interface consists of, as data."""
