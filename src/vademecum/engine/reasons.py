"""What was passed over and what waits, in words: the same for people and for agents."""

from vademecum.sessions import reason_words

__all__ = ["words_of"]

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
    "login": "left until the login, or the name of the model, is put right",
    "budget": "left until the budget allows it again (vade usage shows what was spent)",
    "unproven_evidence": "quotes that the session does not hold",
    "not_indexed": "learned, but not searchable before the next pass",
    "to_take_in": "in the rollout summaries of the repository, taken in by the next vade learn",
    "to_consolidate": "learned or taken out, but not in the memory files yet",
}


def words_of(reason: str) -> str:
    """What a reason says."""
    return _WORDS.get(reason) or reason_words(reason)
