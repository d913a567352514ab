"""Files and folders below one root, reached without following links, and put on the disk."""
