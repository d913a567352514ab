"""What a pass may take. All its identities share one: what concerns every session ends the pass for all of them."""

from vademecum.learning.eligibility import Skip
from vademecum.learning.metering import NO_LIMITS, Budget

__all__ = ["Allowance"]


class Allowance:
    """How many sessions a pass takes and what it may spend, and why it begins no further session.

    `limit`: the pass ends when so many sessions are learned. `most`: so many are begun, and run at once over all
    processes. None is any number.
    """

    def __init__(self, *, limit: int | None = None, most: int | None = None, budget: Budget = NO_LIMITS) -> None:
        self.limit, self.most, self.budget = limit, most, budget
        #: Why no further session is begun; None: there is nothing against it.
        self.reason: Skip | None = None
        self._begun = self._learned = 0

    @property
    def is_short(self) -> bool:
        """Whether it may not do for all sessions, so that their order matters."""
        return self.limit is not None or self.most is not None

    @property
    def is_used_up(self) -> bool:
        """Whether as many sessions are learned as were asked for."""
        return self.limit is not None and self._learned >= self.limit

    def begin(self) -> None:
        """One more session was begun."""
        self._begun += 1
        if self.most is not None and self._begun >= self.most:
            self.close(Skip.CAPPED)

    def count(self, learned: int) -> None:
        """So many more sessions were learned."""
        self._learned += learned

    def close(self, reason: Skip) -> None:
        """Begin no further session. That the number is reached tells less than any other reason."""
        if self.reason in {None, Skip.CAPPED}:
            self.reason = reason
