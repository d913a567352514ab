"""How all commands say what was passed over, what waits and why an identity was taken, and how they shorten ids."""

from collections.abc import Iterable

from vademecum.cli.printing import flat, home_as_tilde
from vademecum.routes import Chosen, Route
from vademecum.sessions import reason_words

__all__ = ["AFTER_RESET", "reason_lines", "short_ids", "why_chosen", "words_of"]

#: What holds until something is learned after a reset.
AFTER_RESET = (
    "Memory has begun anew: sessions that ended before the reset stay out of it. New ones are learned; "
    "`vade mode SESSION enabled` has the next `vade learn` take in an earlier one."
)
_SHORTEST_ID = 8
#: Reasons of learning; those of looking for sessions and reading them have their words in `vademecum.sessions`.
_WORDS = {
    "unchanged": "already learned",
    "too_recent": "may still go on (use --now to learn them at once)",
    "too_old": "older than --since (use --all to take them)",
    "beyond_cap": "older than a learner that asks a model may take (vade config says how old)",
    "no_human_words": "nobody said anything in them",
    "sub_agent": "sub-agents; their parent session tells the story",
    "learner": "sessions of a learner",
    "import": "copies of another agent's session",
    "mode_off": "switched off for memory",
    "rejected": "you rejected what was learned from them; something new in them counts",
    "polluted": "text from outside came into them, and your settings leave such alone",
    "before_reset": "ended before memory began anew (`vade mode SESSION enabled` takes one in)",
    "forgotten": "you asked to forget them",
    "busy": "another process learns them now",
    "waiting": "failed, tried again later",
    "put_off": "begun and put off, through no fault of theirs; a later vade learn takes them",
    "given_up": "failed too often; something new in them opens them again",
    "capped": "left for the next pass: a learner that asks a model takes few at a time (vade config)",
    "quota": "left until the account of the model can be used again (vade status says when)",
    "login": "left until the login is mended",
    "budget": "left until the budget allows it again (vade usage shows what was spent)",
    "unproven_evidence": "quotes that the session does not hold",
    "not_indexed": "learned, but not searchable before the next pass",
    "to_take_in": "in the rollout summaries of the repository, taken in by the next vade learn",
    "to_consolidate": "learned or taken out, but not in the memory files yet",
}

_CHOSEN = {
    Chosen.NAMED: "named by --identity",
    Chosen.ENVIRONMENT: "named by VADEMECUM_IDENTITY",
    Chosen.BY_HAND: "you gave it {folder} and all below",
    Chosen.PROJECT: "of the project {folder}",
    Chosen.FOLDER: "of the folder {folder}, which is in no repository",
    Chosen.DEFAULT: "the default one",
}


def why_chosen(route: Route) -> str:
    """Why a command speaks of this identity."""
    return _CHOSEN[route.chosen].format(folder=home_as_tilde(flat(route.folder)))


def words_of(reason: str) -> str:
    """What a reason says to a person."""
    return _WORDS.get(reason) or reason_words(reason)


def reason_lines(counts: dict[str, int]) -> list[str]:
    """One indented line per reason, the commonest first."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return [f"  {count:>6}  {words_of(reason)}" for reason, count in ordered]


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """Id -> the shortest beginning of at least eight characters that no other of them has."""
    ordered = sorted(set(ids))
    shortened: dict[str, str] = {}
    for before, name, after in zip(["", *ordered], ordered, [*ordered[1:], ""], strict=False):
        needed = max(_common(before, name), _common(name, after)) + 1
        shortened[name] = name[: max(_SHORTEST_ID, needed)]
    return shortened


def _common(one: str, other: str) -> int:
    """How many characters two ids begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))
