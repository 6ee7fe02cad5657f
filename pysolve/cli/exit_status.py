"""What the shell is told when a command ends."""

INTERRUPTED = 130  # after Ctrl-C
FAILED = 2  # where a command could not be carried out
