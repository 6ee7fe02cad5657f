"""A game as one page that needs nothing else: its C as WebAssembly, what must be known of it, and the built page.

    wasm           C -> WebAssembly, by zig or clang, and a cache
    programs       a game and its players -> the programs that they need
    looks          what can lie on a cell -> pictures
    description    a game -> what the page's core must know besides
    whole          all that the page carries, as one object
    page           all of it -> one HTML file

The core that reads the object stands in web/src/export; `errors` says what an export cannot be.
"""
