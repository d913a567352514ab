"""What a person commits with plain git: the hooks that look at it, and what they refuse."""
