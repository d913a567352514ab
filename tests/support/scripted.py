"""A learner with a model that is none: it asks its meter, takes what the test says, and answers or raises."""

from collections.abc import Callable

from support.consolidating import HANDBOOK, SUMMARY
from vademecum.artifacts import HANDBOOK_PATH, SUMMARY_PATH, Bullet, bullet_key, render_bullet
from vademecum.learners import Consolidated, Extraction, Request, Verdict

__all__ = ["ANSWER", "ScriptedLearner"]

ANSWER = Extraction(raw_memory="raw", rollout_summary="recap", rollout_slug="work", outcome="success")


class ScriptedLearner:
    """Each session gets the answer of its id in `script` (an error is raised), else a good one."""

    name = "scripted"
    version = 1
    input_tokens = 100_000
    model = "scripted:small"

    def __init__(self, script=None, *, tokens=100, cost_usd=None, meanwhile: Callable[[], object] = lambda: None):
        self.script, self.tokens, self.cost_usd, self.meanwhile = script or {}, tokens, cost_usd, meanwhile
        #: What was asked of the model: session ids and `consolidation`.
        self.asked: list[str] = []
        #: Session id -> how much it was given to read, try by try.
        self.rooms: dict[str, list[int]] = {}

    def extract(self, task):
        self.rooms.setdefault(task.session.id, []).append(task.room_tokens)
        self._request(task, task.session.id)
        return ANSWER

    def consolidate(self, task, draft):
        self._request(task, "consolidation")
        bullets = [
            Bullet(text=f"rule of {source.partition('#')[0]}", key=bullet_key("/srv/shop", source), sources=(source,))
            for source in (f"{session.summary.session_id}#t1" for session in task.sessions)
        ]
        draft.write(HANDBOOK_PATH, HANDBOOK.format("\n".join(map(render_bullet, bullets))))
        draft.write(SUMMARY_PATH, SUMMARY)
        return Consolidated(verdict=Verdict.WROTE)

    def _request(self, task, subject):
        task.meter.allow(self.model)
        self.asked.append(subject)
        self.meanwhile()
        error = self.script.get(subject)
        if isinstance(error, BaseException):
            raise error
        task.meter.note(Request(model=self.model, tokens_in=self.tokens, tokens_out=1, cost_usd=self.cost_usd))
