"""A game as one page that needs nothing else: its C as WebAssembly, what must be known of it, and the built page.

    wasm           C -> WebAssembly, by zig or clang, and a cache
    description    a game -> JSON: what the page's core must know besides
    looks          what can lie on a cell -> pictures
    page           all of it -> one HTML file

The core that reads the description stands in web/src/export.
"""
