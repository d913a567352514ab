"""What holds and what does not: of the pages, and of the repository itself."""
