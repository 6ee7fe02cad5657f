"""Facts about the language and its programs, one row each: what every other stage knows of them it reads here."""
