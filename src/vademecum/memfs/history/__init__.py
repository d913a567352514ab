"""What the commits tell: who wrote a line, what changed, and how it is taken back."""
