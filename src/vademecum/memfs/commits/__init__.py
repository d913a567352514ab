"""One committed state of the memory, and how a commit is made and read back."""
