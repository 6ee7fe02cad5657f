"""Rules as text: where they are found, how large they may be, their lines, their syntax, hints for what is wrong."""
