"""Lines of a child: whole, however they come, and never so many at once that the host stands still."""

import json
import sys

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

#: As long as a turn may wait.
LONGEST_MS = 50
STREAM = """
const { PassThrough } = await import("node:stream");
const stream = new PassThrough();
const taken = [];
let refused = 0;
const reader = new lines.LineReader(stream, { take: (line) => taken.push(line), refuse: () => refused++ });
"""


def test_lines_come_whole_from_pieces_of_any_length(scripts):
    body = f"""{STREAM}
    const text = Array.from({{ length: 300 }}, (_, at) => `${{at}} é \U0001f600`.repeat(at % 40)).join("\\n") + "\\n";
    const bytes = Buffer.from(text);
    for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 1009) {{
      stream.write(bytes.subarray(at, at + size));
    }}
    await until(() => taken.length === 300);
    return [taken.join("\\n") + "\\n" === text, refused];
    """
    assert scripts.run(body) == [True, 0]


@pytest.mark.parametrize(("more", "expected"), [(0, [1, 0]), (1, [0, 1])])
def test_a_line_has_a_greatest_length(scripts, more, expected):
    """What comes behind one that is too long is not read any more, and said once."""
    body = f"""{STREAM}
    stream.write("x".repeat(lines.MAX_LINE_CHARACTERS + {more}));
    await pause(20);
    stream.write("\\n");
    await until(() => taken.length || refused);
    if (refused) for (let more = 0; more < 3; more++) stream.emit("data", "y\\n");
    return [taken.length, refused];
    """
    assert scripts.run(body) == expected


def test_nothing_is_taken_from_a_reader_that_was_closed(scripts):
    body = """
    const { PassThrough } = await import("node:stream");
    const stream = new PassThrough();
    const taken = [];
    const take = (line) => { taken.push(line); reader.close(); };
    const reader = new lines.LineReader(stream, { take, refuse: () => taken.push("refused") });
    stream.write("a\\nb\\nc\\n");
    await pause(50);
    return [taken, stream.destroyed];
    """
    assert scripts.run(body) == [["a"], True]


def test_work_that_takes_long_is_done_in_slices(scripts):
    """All lines are taken in the end, in their order."""
    body = """
    const { PassThrough } = await import("node:stream");
    const stream = new PassThrough();
    const taken = [];
    const take = (line) => {
      const end = performance.now() + 1;
      while (performance.now() < end);
      taken.push(Number(line));
    };
    new lines.LineReader(stream, { take, refuse: () => {} });
    const longest = await longestMs(async () => {
      stream.write(Array.from({ length: 400 }, (_, at) => `${at}\\n`).join(""));
      await until(() => taken.length === 400);
    });
    return [taken.every((one, at) => one === at), longest];
    """
    in_order, longest = scripts.run(body)
    assert in_order
    assert longest < LONGEST_MS  # undivided it were 400 ms


FLOODS = {
    "short lines": "while True: write('x\\n' * 30_000)",
    "beginnings of messages": "while True: write('{\\n' * 30_000)",
    "answers to nothing": """while True: write('{"id": 999, "result": {}}\\n' * 3_000)""",
    "long answers to nothing": """while True: write('{"id": 999, "result": "' + 'x' * 900_000 + '"}\\n')""",
    "deep nonsense": "while True: write('{\"a\":' * 150_000 + '\\n')",
    "a line without end": "while True: write('x' * 60_000)",
    "a line of 100 MB": "for _ in range(100): write('x' * 1_000_000)\nwrite('\\n')\nwhile True: sys.stdin.readline()",
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_child_that_floods_its_host_is_ended_and_no_turn_is_held_up(scripts, flood):
    """user-U70: Of three tries the best counts, for other programs hold up a host as well."""
    command = [sys.executable, "-I", "-c", f"import sys\nwrite = sys.stdout.write\n{FLOODS[flood]}"]
    body = f"""
    const longest = [];
    for (let tries = 0; tries < 3; tries++) {{
      const one = new child.Child({{ command: {json.dumps(command)} }});
      let said;
      longest.push(await longestMs(async () => {{ said = await failure(one.request("a", {{}})); }}));
      one.dispose();
      if (said !== "memory has ended") return said;
    }}
    return Math.min(...longest);
    """
    assert scripts.run(body) < LONGEST_MS
