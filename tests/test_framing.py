"""Where messages of the language server begin and end, whatever is written there."""

import io
import json
import subprocess
import sys

import pytest

from pysolve.ide.lsp.framing import LONGEST, LONGEST_HEADER, MOST_HEADERS, Framed, FramingError

BODY = b'{"jsonrpc": "2.0", "id": 1}'


def messages(data: bytes) -> list[bytes]:
    """The bodies in a stream, read as pygls does it."""
    framed, found = Framed(io.BytesIO(data)), []
    while line := framed.readline():
        name, _, length = line.partition(b": ")
        assert name == b"Content-Length"
        assert framed.readline() == b"\r\n"
        found.append(framed.read(int(length)))
    return found


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Length: %d\r\n\r\n",
        b"content-length:%d\n\n",
        b"\r\n\r\nContent-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        b"X-Other: 5\r\nContent-Length:   %d  \r\n\r\n",
    ],
)
def test_messages_are_read(headers: bytes) -> None:
    one = headers % len(BODY) + BODY
    assert messages(one) == [BODY]
    assert messages(one + one) == [BODY, BODY]
    assert messages(b"") == messages(b"\r\n") == messages(headers[:3]) == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"Content-Length: -5\r\n\r\n{}", "Content-Length is a number from 1 to 67,108,864, not -5"),
        (b"Content-Length: abc\r\n\r\n{}", "not abc"),
        (b"Content-Length: \r\n\r\n{}", "Content-Length is a number from 1 to 67,108,864, not "),  # nothing
        (b"Content-Length: 0\r\n\r\n{}", "not 0"),
        (b"Content-Length: %d\r\n\r\n{}" % (LONGEST + 1), "not 67108865"),
        (b"Content-Length: 99999999999999\r\n\r\n{}", "not 99999999999999"),
        (b"Content-Length: " + 900 * b"9" + b"\r\n\r\n{}", "not 9999"),
        ("Content-Length: \u0663\r\n\r\n".encode(), "a header has the form  Content-Length: 120, not  Content-"),
        (b"Content-Length: 3\r\n\r\n" + BODY, 'a message of 3 bytes is not an object of JSON: {"j'),
        (b"Content-Length: 40\r\n\r\n" + BODY + b"Content-Length: 27\r\n", "a message of 40 bytes is not an object"),
        (b"Content-Length: 3\r\n\r\n[1]", "a message of 3 bytes is not an object of JSON: [1]"),
        (b"Content-Type: x\r\n\r\n{}", "a message has no Content-Length"),
        (b"GET / HTTP/1.1\r\n\r\n", "a header has the form  Content-Length: 120, not  GET / HTTP/1.1"),
        (b"\x1b[2J\xff: 1\r\n", "a header has the form  Content-Length: 120, not  \\u001b[2J"),
        (LONGEST_HEADER * b"X", "a header has the form  Content-Length: 120, not  XXXX"),
        (MOST_HEADERS * b"X: 1\r\n", "a message has at most 20 headers"),
        (MOST_HEADERS * b"\r\n", "a message has at most 20 headers"),
    ],
)  # fmt: skip
def test_bad_framing_is_told(data: bytes, message: str) -> None:
    with pytest.raises(FramingError) as error:
        messages(data)
    assert message in str(error.value)


def test_no_more_is_read_than_a_header_may_have() -> None:
    class Counting(io.BytesIO):
        most = 0

        def readline(self, size: int | None = -1) -> bytes:
            found = super().readline(size)
            self.most = max(self.most, len(found))
            return found

    stream = Counting(10_000_000 * b"x")
    with pytest.raises(FramingError):
        Framed(stream).readline()
    assert stream.most == LONGEST_HEADER


@pytest.mark.slow
def test_a_server_that_has_lost_the_beginning_of_a_message_ends() -> None:
    """Also with a process of its own that reads rules, and while its editor still waits."""
    pytest.importorskip("pygls")
    command = [sys.executable, "-m", "pysolve", "lsp", "--stdio"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        for told in (
            {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None, "rootUri": None}},
            {"method": "initialized", "params": {}},
        ):
            body = json.dumps({"jsonrpc": "2.0", **told}).encode()
            process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"Content-Length")
        process.stdin.write(b"Content-Length: -5\r\n\r\n{}")
        process.stdin.flush()
        process.stdout.read()  # closed by the last process that has it
        assert process.wait() == 1
        assert b"pysolve lsp: Content-Length is a number from 1 to 67,108,864, not -5; the server ends" in (
            process.stderr.read())  # fmt: skip
