"""Writers of the files that follow from the interface tables."""
