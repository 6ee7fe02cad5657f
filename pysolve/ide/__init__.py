"""What an editor shows of a rules text: colours, completion, meanings, an outline.

In: a text, and what is known of it (`Knowledge`).  Out: plain values.  Nothing here knows an editor or its protocol.
"""
