"""What is git's own: its objects, references, index, locks and log files. Above this package nobody asks git."""
