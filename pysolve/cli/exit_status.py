"""What the shell is told when a command ends."""

INTERRUPTED = 130  # after Ctrl-C
