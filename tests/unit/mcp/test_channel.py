"""Lines in, lines out."""

import os
import threading

import pytest

from vademecum.mcp import channel
from vademecum.mcp.channel import Outbox, TooLong, lines


@pytest.fixture
def pipes():
    """(our end in, the client's end out, our end out, the client's end in, the alarm, what raises it)"""
    our_in, their_out = os.pipe()
    their_in, our_out = os.pipe()
    ends = [our_in, their_out, our_out, their_in, *os.pipe()]
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:  # the test closed it
            continue


def read(pipes, data, **options):
    our_in, their_out, our_out, _, alarm, _ = pipes
    thread = threading.Thread(target=lambda: (os.write(their_out, data), os.close(their_out)))
    thread.start()
    found = ["too long" if isinstance(line, TooLong) else line for line in lines(our_in, our_out, alarm, **options)]
    thread.join()
    return found


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"a\nb\n", [b"a", b"b"]),
        (b"a\r\nb\r\n", [b"a", b"b"]),
        (b"\n\n \r\n\ta \n", [b"a"]),
        (b"a\nb", [b"a", b"b"]),
    ],
)
def test_a_line_is_what_stands_between_line_breaks(pipes, data, expected):
    assert read(pipes, data) == expected


def test_a_line_may_come_in_many_pieces(pipes):
    assert read(pipes, b"x" * 300_000 + b"\nnext\n") == [b"x" * 300_000, b"next"]


@pytest.mark.parametrize("length", [100, 200_000])
def test_a_line_that_is_too_long_is_passed_over_and_the_next_one_is_read(pipes, length):
    assert read(pipes, b"x" * length + b"\nnext\n", max_bytes=99) == ["too long", b"next"]


def test_a_line_of_exactly_the_limit_is_read(pipes):
    assert read(pipes, b"x" * 99 + b"\n", max_bytes=99) == [b"x" * 99]


def test_when_nobody_reads_what_goes_out_reading_ends(pipes):
    """A host that was killed leaves no process behind, also where another one holds its end of the input."""
    our_in, _, our_out, their_in, alarm, _ = pipes
    os.close(their_in)
    assert list(lines(our_in, our_out, alarm)) == []


def test_an_alarm_ends_reading_whatever_else_could_be_read(pipes):
    our_in, their_out, our_out, _, alarm, raised = pipes
    os.write(their_out, b"a\n")
    os.write(raised, b"!")
    assert list(lines(our_in, our_out, alarm)) == []


def test_lines_go_out_in_order_and_whole(pipes):
    outbox = Outbox(pipes[2])
    wanted = [b"%d " % number + b"x" * 5_000 + b"\n" for number in range(50)]
    received = []

    def receive():
        with os.fdopen(os.dup(pipes[3]), "rb") as stream:
            received.extend(stream.readline() for _ in wanted)

    reader = threading.Thread(target=receive)
    reader.start()
    for line in wanted:
        outbox.put(line)
    outbox.drain(3)
    reader.join()
    assert received == wanted


def test_putting_never_waits_for_a_slow_reader(pipes):
    outbox = Outbox(pipes[2])
    for _ in range(100):
        outbox.put(b"x" * 10_000)
    outbox.drain(0)
    assert not outbox.is_gone


def test_who_lets_too_much_lie_unread_is_taken_for_gone(pipes, monkeypatch):
    monkeypatch.setattr(channel, "MAX_UNREAD_BYTES", 200_000)
    outbox = Outbox(pipes[2])
    for _ in range(30):
        outbox.put(b"x" * 10_000)
    assert outbox.is_gone
    outbox.drain(3)


def test_a_closed_end_is_noticed(pipes):
    outbox = Outbox(pipes[2])
    os.close(pipes[3])
    outbox.put(b"x\n")
    outbox.drain(3)
    assert outbox.is_gone
    outbox.put(b"y\n")
