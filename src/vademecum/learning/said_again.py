"""What a person removed comes back by their newer word only: asked of work that was not made in this process."""

from collections.abc import Iterator

from vademecum.artifacts import (
    HANDBOOK_PATH,
    RENDERED,
    SUMMARY_PATH,
    Bullet,
    keyed_bullets,
    parse_handbook,
    parse_summary,
)
from vademecum.learning.removals import Removals
from vademecum.learning.sources import Sources, text_of
from vademecum.learning.tasks import removed_from
from vademecum.memfs import Frozen, Violation
from vademecum.state import State

__all__ = ["SaidAgain"]

_SHOWN_CHARACTERS = 60


class SaidAgain:
    """The new statements of a draft, held against what a person removed."""

    def __init__(self, state: State, written: Frozen) -> None:
        self._removals = Removals(removed_from(state), Sources(state, written).said_at)
        self._new = list(_new_bullets(written)) if self._removals else []

    def violations(self) -> Iterator[Violation]:
        """The new statements that a person had removed and has not said again since."""
        for path, scope, bullet in self._new:
            if self._removals.brings_back(bullet, scope):
                reason = f"brings back what a person removed: {bullet.text[:_SHOWN_CHARACTERS]}"
                yield Violation(path=path, reason=reason)

    def confirmed(self, claims: tuple[str, ...]) -> tuple[str, ...]:
        """Those of these statements that stand in the draft, were removed once, and rest on a newer word."""
        back = {_letters(bullet.text) for _, scope, bullet in self._new if self._removals.is_said_again(bullet, scope)}
        return tuple(claim for claim in claims if _letters(claim) in back)


def _new_bullets(written: Frozen) -> Iterator[tuple[str, str, Bullet]]:
    """File, scope and bullet of every keyed statement that the draft's base did not hold."""
    known = {key for path in RENDERED for key in keyed_bullets(text_of(written.base, path))}
    places = [
        (HANDBOOK_PATH, group.project, section.lines)
        for group in parse_handbook(text_of(written, HANDBOOK_PATH))
        for section in group.sections
    ]
    summary = parse_summary(text_of(written, SUMMARY_PATH))
    places += [(SUMMARY_PATH, section.name, section.lines) for section in summary.sections]
    for path, scope, lines in places:
        bullets = keyed_bullets("\n".join(lines))
        yield from ((path, scope, bullet) for key, bullet in bullets.items() if key not in known)


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
