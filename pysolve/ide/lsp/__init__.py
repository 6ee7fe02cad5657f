"""The language server: what `pysolve.ide` knows of rules, for every editor that speaks its protocol.

In: messages of an editor on stdin.  Out: answers on stdout.  `server` says what it can do, `documents` keeps the texts
and asks `worker`, a process of its own, what they mean; `answers` turns that into the values of the protocol.
"""
