"""Breakers: a model whose account is used up is left alone, by every process, until it may answer again.

Closed: there is no row. Open: nobody asks before `open_until`. Half open: after that one worker may try, and the others
wait for what comes of it: an answer closes the breaker, another refusal opens it for longer.
"""

from datetime import datetime, timedelta

import msgspec

from vademecum.state.database import Database
from vademecum.state.rows import from_row, from_rows
from vademecum.state.statements import load_statements
from vademecum.state.times import to_ms, utc_now
from vademecum.state.workers import is_gone, this_worker

__all__ = ["Breaker", "Breakers"]

_SQL = load_statements("vademecum.state", "breakers")
#: After the first refusal that names no time; each further one in a row doubles it.
_FIRST_WAIT = timedelta(minutes=2)
_LONGEST_OWN_WAIT = timedelta(hours=6)
#: A server may ask for less patience than this, never for more: a wrong header must not stop learning for weeks.
_LONGEST_WAIT = timedelta(hours=24)
#: How long others wait for what comes of a try whose worker neither ends nor answers.
_PROBE = timedelta(minutes=10)
_MAX_REASON_CHARS = 500


class Breaker(msgspec.Struct, frozen=True, kw_only=True):
    """The account of one model that refused, and has not answered since."""

    #: As the settings spell it.
    model: str
    #: In a row.
    refusals: int
    #: The last one, aware UTC.
    refused_at: datetime
    #: Nobody asks before this moment.
    open_until: datetime
    #: What the model's server said.
    reason: str
    #: Who tries now that the wait is over, `pid@host:start`; None: nobody.
    probe_worker: str | None
    #: Until when the others wait for what comes of that.
    probe_until: datetime | None

    def closed_until(self, worker: str, now: datetime) -> datetime | None:
        """The moment before which this worker may not ask; None: it may try now."""
        # A refusal that lies ahead was noted by a clock that was put back since: its wait cannot be measured.
        if now < self.refused_at:
            return None
        if now < self.open_until:
            return self.open_until
        if self.probe_worker is None or self.probe_until is None or self.probe_worker == worker:
            return None
        return None if now >= self.probe_until or is_gone(self.probe_worker) else self.probe_until


class Breakers:
    """The table of breakers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Breaker]:
        """Every model that was refused and has not answered since, also where its wait is over."""
        return from_rows(Breaker, self._database.all(_SQL["all_breakers"]))

    def get(self, model: str) -> Breaker | None:
        """What is known of a model; None: nothing stands in its way."""
        row = self._database.one(_SQL["get_breaker"], {"model": model})
        return from_row(Breaker, row) if row else None

    def enter(self, model: str, *, worker: str | None = None, now: datetime | None = None) -> Breaker | None:
        """Ask before a request: None lets it through, where the wait is over as the one try that all wait for."""
        moment, who = now or utc_now(), worker or this_worker()
        if self.get(model) is None:  # the common case needs no lock
            return None
        with self._database.write():
            breaker = self.get(model)
            if breaker is None:
                return None
            if breaker.closed_until(who, moment) is not None:
                return breaker
            probe = {"model": model, "worker": who, "until": to_ms(moment + _PROBE)}
            self._database.run(_SQL["take_probe"], probe)
        return None

    def refuse(
        self, model: str, reason: str, *, retry_after_seconds: float | None, now: datetime | None = None
    ) -> Breaker:
        """The model's account is used up: the breaker opens, for longer with every refusal in a row."""
        moment = now or utc_now()
        with self._database.write():
            known = self.get(model)
            # Requests that were under way together are refused together: that is one refusal.
            is_same = known is not None and known.refused_at <= moment < known.open_until
            refusals = (known.refusals if known else 0) + (not is_same)
            until = moment + _wait(refusals, retry_after_seconds)
            values = {
                "model": model,
                "refusals": refusals,
                "refused_at": to_ms(moment),
                "open_until": to_ms(max(until, known.open_until) if known and is_same else until),
                "reason": reason[:_MAX_REASON_CHARS],
            }
            self._database.run(_SQL["put_breaker"], values)
            row = self._database.one(_SQL["get_breaker"], {"model": model})
            assert row is not None
        return from_row(Breaker, row)

    def close(self, model: str) -> None:
        """The model answered: nothing stands in its way."""
        if self.get(model) is not None:
            self._database.run(_SQL["drop_breaker"], {"model": model})


def _wait(refusals: int, retry_after_seconds: float | None) -> timedelta:
    """What the server asked for; where it did not say, or goes on refusing, a wait of our own that grows."""
    asked = timedelta(seconds=min(max(retry_after_seconds or 0, 0), _LONGEST_WAIT.total_seconds()))
    doublings = refusals - (1 if retry_after_seconds is None else 2)
    own = min(_FIRST_WAIT * 2 ** min(doublings, 16), _LONGEST_OWN_WAIT) if doublings >= 0 else timedelta(0)
    return max(asked, own)
