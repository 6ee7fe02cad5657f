"""Games for interfaces that play with engines: UCI for chess and games like it, UGI for the others."""
