"""Whose words they are: Codex writes much of its own under the role `user`.

Newer files say what each piece of a message is (`content_item_kinds`, `provenance`); older ones are told by how a piece
begins. Source: rollout files of Codex 0.160 to 0.171.
"""

import re
from collections.abc import Sequence
from typing import TypeVar

import msgspec

from vademecum.sessions.assembly import question_and_answer
from vademecum.sessions.model import Role

__all__ = ["Provenance", "answers_to_questions", "is_of_other_agent", "role_of_user_text", "split_ide_context"]

T = TypeVar("T")

#: Beginnings of user-role pieces that the host wrote.
_HOST_BEGINNINGS = (
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<apps_instructions>",
    "<codex_internal_context",
    "<collaboration_mode>",
    "<environment_context>",
    "<goal_context>",
    "<hook_prompt",
    "<image ",
    "</image>",
    "<model_switch>",
    "<permissions instructions>",
    "<personality_spec>",
    "<plugins_instructions>",
    "<recommended_plugins>",
    "<skill",
    "<turn_aborted>",
    "<user_action>",
    "<user_instructions>",
    "Another language model started to solve this problem",
    "You were originally given instructions from a user over one or more turns",
    "Warning: The maximum number of unified exec",
    "Warning: apply_patch was requested via",
)
_OTHER_AGENT_BEGINNINGS = ("<subagent_notification>", "<subagents>", "<inter_agent")
#: A message of one agent to another is a JSON object in a text.
_ENVELOPE_OF_AGENTS = re.compile(r'\{\s*"author"\s*:\s*".*"recipient"\s*:\s*"', re.DOTALL)
#: A text that is one element as a whole, with a name that no person gives to one.
_HOST_ELEMENT = re.compile(r"<([a-z]+(?:_[a-z]+)+)[ >].*</\1>", re.DOTALL)
#: The user ran a command of their own (`!cmd`): what it printed is no word of theirs.
_SHELL_COMMAND = "<user_shell_command>"

_IDE_CONTEXT = "# Context from my IDE setup:"
_IDE_REQUEST = re.compile(r"^## My request for Codex:[ \t]*\n", re.MULTILINE)


class _Source(msgspec.Struct):
    type: str | None = None


class _PieceMetadata(msgspec.Struct):
    provenance: _Source | None = None


class Provenance(msgspec.Struct):
    """What the host says of the pieces of a message, in their order."""

    turn_id: str | None = None
    content_item_kinds: list[str | None] | None = None
    content_item_metadata: list[_PieceMetadata | None] | None = None

    def of_user(self, place: int) -> bool | None:
        """Whether the piece at this place (from 0) is the user's; None where the host does not say."""
        kind = _at(self.content_item_kinds, place)
        if kind and kind != "unknown":
            return kind.startswith("user.")
        metadata = _at(self.content_item_metadata, place)
        source = metadata.provenance.type if metadata and metadata.provenance else None
        return source == "user" if source else None


def _at(values: Sequence[T | None] | None, place: int) -> T | None:
    return values[place] if values and place < len(values) else None


def is_of_other_agent(text: str) -> bool:
    """Whether the text is a message from one agent to another, or a notice about one."""
    return text.startswith(_OTHER_AGENT_BEGINNINGS) or _ENVELOPE_OF_AGENTS.match(text) is not None


def role_of_user_text(text: str, said_by_user: bool | None) -> Role:
    """The role of one piece of a message with the role `user`; `said_by_user` is what the host says, if it does."""
    start = text.lstrip()
    if is_of_other_agent(start):
        return Role.OTHER_AGENT
    if start.startswith(_SHELL_COMMAND):
        return Role.TOOL
    if said_by_user is not None:
        return Role.HUMAN if said_by_user else Role.HOST
    if start.startswith(_HOST_BEGINNINGS) or _HOST_ELEMENT.fullmatch(start.rstrip()):
        return Role.HOST
    return Role.HUMAN


def split_ide_context(text: str) -> tuple[str, str]:
    """What an editor put before the user's request, and the request; ("", text) where there is no such heading."""
    if not text.startswith(_IDE_CONTEXT):
        return "", text
    request = _IDE_REQUEST.search(text)
    return (text[: request.start()], text[request.end() :]) if request else ("", text)


class _Question(msgspec.Struct):
    id: str = ""
    question: str = ""


class _Questions(msgspec.Struct):
    questions: list[_Question] = []


class _Answer(msgspec.Struct):
    answers: list[str] = []


class _Answers(msgspec.Struct):
    answers: dict[str, _Answer] = {}


_QUESTIONS = msgspec.json.Decoder(_Questions)
_ANSWERS = msgspec.json.Decoder(_Answers)


def answers_to_questions(arguments: str, output: str) -> str:
    """What the user answered to `request_user_input`, joined with the questions; empty where nothing was answered."""
    try:
        questions, answers = _QUESTIONS.decode(arguments).questions, _ANSWERS.decode(output).answers
    except (msgspec.DecodeError, RecursionError):
        return ""
    given = {name: ", ".join(answer.answers) for name, answer in answers.items() if any(answer.answers)}
    asked = {question.id: question.question for question in questions}
    return "\n\n".join(question_and_answer(asked.get(name, ""), answer) for name, answer in given.items())
