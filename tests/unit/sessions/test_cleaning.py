"""The border: masked, without private parts, without our own memory, cut to size."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.artifacts.fence import fence_lines
from vademecum.sessions import Message, Role, Session, ToolCall
from vademecum.sessions.cleaning import clean, strip_private

TOKEN = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
NOW = datetime(2026, 11, 2, 10, tzinfo=UTC)


def session(*messages: Message, title: str = "") -> Session:
    return Session(
        id="s1",
        host="h",
        cwd="/srv/demo",
        branch="main",
        started_at=NOW,
        updated_at=NOW,
        parent_id=None,
        messages=messages,
        title=title,
    )


def cleaned(text: str) -> str:
    return clean(session(Message(id="m", index=1, role=Role.HUMAN, text=text))).messages[0].text


def cleaned_call(name: str, text: str, output: str, **fields: Any) -> ToolCall:
    call = ToolCall(id="c", name=name, input=text, output=output, **fields)
    message = Message(id="m", index=1, role=Role.COMMENTARY, text="", tool_calls=(call,))
    return clean(session(message)).messages[0].tool_calls[0]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a<private>b</private>c", "ac"),
        ("a<PRIVATE>b</Private>c", "ac"),
        ("a<private>b<private>c</private>d</private>e", "ae"),
        ("a<private>b\n\nc", "a"),
        ("a</private>b", "a</private>b"),
        ('a<private reason="x">b</private >c', "ac"),
        ("<private>a</private>b<private>c</private>", "b"),
        ("a <private-key> b", "a <private-key> b"),
        ("#include <private.h>", "#include <private.h>"),
    ],
)
def test_private_parts_are_gone(text: str, kept: str) -> None:
    """Any case, nested as one, without end to the end of the message; other tags stay."""
    assert strip_private(text) == kept
    assert cleaned(text) == kept


def test_a_private_part_may_be_longer_than_what_is_kept() -> None:
    """It is taken out before anything is cut."""
    text = "before<private>" + "x y " * 60_000 + "hidden words</private>after"
    assert cleaned(text) == "beforeafter"


def test_secrets_are_masked_everywhere() -> None:
    """Text, title, a tool's input and output."""
    message = Message(
        id="m",
        index=1,
        role=Role.HUMAN,
        text=f"token {TOKEN}",
        tool_calls=(ToolCall(id="c", name="Bash", input=f'{{"command":"echo {TOKEN}"}}', output=f"got {TOKEN}"),),
    )
    shown = clean(session(message, title=f"about {TOKEN}"))
    assert TOKEN not in str(shown)
    assert shown.cwd == "/srv/demo"


@pytest.mark.parametrize("place", [6 * 1024 - 20, 6 * 1024 - 39, 200_000 - 2 * 1024 - 20])
def test_no_cut_divides_a_secret(place: int) -> None:
    """codex-B09: masked before it is cut: neither half of a secret stays at the edge of what is left out."""
    filler = "word " * 40_000
    output = f"{filler[:place]} {TOKEN} {filler[place + len(TOKEN) :]}"
    shown = cleaned_call("Bash", "{}", output).output
    assert not any(TOKEN[start : start + 8] in shown for start in range(len(TOKEN) - 8))
    assert "characters left out" in shown


def test_sizes_are_bounded_with_head_and_tail_kept() -> None:
    call = cleaned_call("Bash", "i" * 50_000, "H" + "o" * 5_000_000 + "T")
    assert len(call.input) < 8 * 1024 + 100
    assert len(call.output) < 8 * 1024 + 100
    assert call.output.startswith("Ho")
    assert call.output.endswith("oT")
    assert len(cleaned("w " * 500_000)) < 64 * 1024 + 100


def test_short_text_is_untouched() -> None:
    text = "use pnpm here, never npm\n\n```sh\npnpm i\n```\n"
    assert cleaned(text) is text


def test_our_own_block_is_gone() -> None:
    """user-U52: recalled memory must never come back as evidence; a block that was cut off goes to the end."""
    block = "\n".join(["before", *_fenced("always use tabs"), "after"])
    assert "tabs" not in cleaned(block)
    assert "before" in cleaned(block)
    assert "after" in cleaned(block)
    assert "tabs" not in cleaned("\n".join(_fenced("always use tabs")[:-1]))


def test_our_block_may_speak_of_the_private_tag() -> None:
    block = "\n".join(["before", *_fenced("wrap secrets in <private>"), "after"])
    assert "after" in cleaned(block)


def _fenced(body: str) -> list[str]:
    opening, closing = fence_lines(body)
    return [opening, body, closing]


def test_citation_blocks_are_gone() -> None:
    assert cleaned("done.\n\n<memory-citation>\nMEMORY.md:1-2\n</memory-citation>") == "done."


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("memory_search", ""),
        ("mcp__vademecum__memory_read", ""),
        ("vademecum_memory", ""),
        ("Bash", "vade search pnpm"),
        ("Bash", "cd /srv/demo && vade context"),
        ("exec_command", "VADEMECUM_HOME=/x vade read MEMORY.md | head"),
    ],
)
def test_our_own_tools_keep_the_call_and_lose_the_text(name: str, command: str) -> None:
    call = cleaned_call(name, "always use tabs", "always use tabs", command=command, edited=("always-use-tabs.md",))
    assert (call.name, call.input, call.output, call.command, call.edited) == (name, "", "", "", ())


def test_no_secret_and_no_private_part_leaves_in_a_command_or_a_path() -> None:
    """What a reader found in a tool's arguments is masked like the arguments themselves."""
    call = cleaned_call("Bash", "", "", command=f"echo {TOKEN}<private>x</private>", edited=(f"{TOKEN}.md",))
    assert TOKEN not in call.command + call.edited[0]
    assert (call.command[-1], call.edited[0][-3:]) == ("]", ".md")


@pytest.mark.parametrize("command", ["grep vade README.md", "", "ls vade"])
def test_other_commands_keep_their_text(command: str) -> None:
    assert cleaned_call("Bash", "{}", "found", command=command).output == "found"


@given(st.lists(st.tuples(st.booleans(), st.text(alphabet="ab /\n", max_size=10)), max_size=8))
def test_exactly_the_private_parts_are_gone(parts: list[tuple[bool, str]]) -> None:
    text = "".join(f"<private>{words}</private>" if private else words for private, words in parts)
    assert strip_private(text) == "".join(words for private, words in parts if not private)


BLOCK = "```memory-citation\nMEMORY.md:12-14|note=x\nsessions: s-1\n```"


def cited_by(role: Role, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = clean(session(Message(id="m", index=1, role=role, text=text))).messages[0].cited
    return tuple(entry.path for entry in found.files), found.sessions


def test_a_final_answer_keeps_what_it_cites_apart_from_its_text() -> None:
    """codex-R20"""
    message = clean(session(Message(id="m", index=1, role=Role.FINAL, text=f"done.\n\n{BLOCK}"))).messages[0]
    assert message.text == "done."
    assert cited_by(Role.FINAL, f"done.\r\n\r\n{BLOCK}") == (("MEMORY.md",), ("s-1",))


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.FINAL])
def test_a_block_that_anybody_else_wrote_cites_nothing(role: Role) -> None:
    """codex-W25: a person, a tool or another agent can write the block too."""
    assert cited_by(role, f"done.\n\n{BLOCK}") == ((), ())


def test_a_block_inside_private_words_or_our_own_context_cites_nothing() -> None:
    """codex-W25"""
    opening, closing = fence_lines(BLOCK)
    assert cited_by(Role.FINAL, f"done.\n{opening}\n{BLOCK}\n{closing}") == ((), ())
    assert cited_by(Role.FINAL, f"done.\n<private>\n{BLOCK}\n</private>") == ((), ())


def test_what_looks_like_a_secret_in_a_citation_is_masked() -> None:
    block = f"<memory-citation>\n{TOKEN}.md:1-2\nsessions: {TOKEN}\n</memory-citation>"
    paths, sessions = cited_by(Role.FINAL, f"done.\n{block}")
    assert TOKEN not in f"{paths}{sessions}"
    assert len(paths) == len(sessions) == 1


@pytest.mark.parametrize(
    "part",
    [
        "&lt;private&gt;w&lt;/private&gt;",
        "\uff1cprivate\uff1ew\uff1c/private\uff1e",
        "<pri\u200bvate>w</pri\u200bvate>",
        "< private >w</ private >",
        '<private a="' + "z" * 300 + '">w</private>',
    ],
)
def test_marks_that_look_like_the_tag_are_the_tag(part):
    """Wide, escaped, or with what nobody sees in them: a person meant the same."""
    assert strip_private(f"a {part} b") == "a  b"


@pytest.mark.parametrize(
    ("cwd", "told"),
    [
        ("/srv/shop", "/srv/shop"),
        ("", ""),
        ("/srv/shop ", "/srv/shop"),
        ("everywhere", "?/everywhere"),
        ("# Task Group", "?/# Task Group"),
        ("/srv/\u3000x", "/srv/\ufffdx"),
        ("/srv/a\nb", "/srv/a\ufffdb"),
        ("C:\\Users\\ada\\shop", "C:\\Users\\ada\\shop"),
    ],
)
def test_a_directory_is_one_however_it_is_called(cwd, told):
    """No name of one is a word of memory's own, breaks a line, or makes what was said there hold everywhere."""
    assert clean(msgspec.structs.replace(session(), cwd=cwd)).cwd == told
