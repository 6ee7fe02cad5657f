"""`python -m pysolve` is the command `pysolve`."""

from pysolve.cli import main

main()
