"""A learner with a model that is none: it asks its meter, takes what the test says, and answers or raises."""

from collections.abc import Callable

from support.scripted_learner import answer, bullet, group, source, summary_of, writing
from vademecum.artifacts import parse_raw_memory
from vademecum.learners import Consolidated, Request, Verdict
from vademecum.learners.answers import read_extraction
from vademecum.sessions import Role

__all__ = ["MeteredLearner"]


class MeteredLearner:
    """Keeps the first words of each session, unless `script` has an error for its id, which is raised."""

    name = "metered"
    version = 1
    input_tokens = 100_000
    files_tokens = 0
    model = "scripted:small"
    models = (model,)
    setup = ""

    def __init__(self, script=None, *, tokens=100, cost_usd=None, meanwhile: Callable[[], object] = lambda: None):
        self.script, self.tokens, self.cost_usd, self.meanwhile = script or {}, tokens, cost_usd, meanwhile
        #: What was asked of the model: session ids and `consolidation`.
        self.asked: list[str] = []
        #: Session id -> how much it was given to read, try by try.
        self.rooms: dict[str, list[int]] = {}

    def extract(self, task):
        self.rooms.setdefault(task.session.id, []).append(task.room_tokens)
        self._request(task, task.session.id)
        first = next(message for message in task.session.messages if message.role is Role.HUMAN)
        return read_extraction(answer(f"[t{first.index}] rule/project 2026-11-29T11:00:00Z: {first.text}"))

    def consolidate(self, task, draft):
        self._request(task, "consolidation")
        by_project: dict[str, list] = {}
        for session in task.sessions:
            by_project.setdefault(session.summary.cwd, []).append(session)
        said = {
            project: [line for session in sessions for line in _bullets(project, session.summary)]
            for project, sessions in by_project.items()
        }
        if task.notes:
            said[""] = [bullet(note.text, "", note.path) for note in task.notes]
            by_project[""] = []
        handbook = "\n".join(
            group(project, tasks=[("fix the tests", session) for session in sessions], preferences=said[project])
            for project, sessions in by_project.items()
        )
        preferences = [*said.pop("", ())]
        for project, lines in said.items():
            preferences += [f"### {project}", *lines]
        writing(handbook, summary_of(preferences=preferences))(task, draft)
        return Consolidated(verdict=Verdict.WROTE)

    def _request(self, task, subject):
        task.meter.allow(self.model)
        self.asked.append(subject)
        self.meanwhile()
        error = self.script.get(subject)
        if isinstance(error, BaseException):
            raise error
        task.meter.note(Request(model=self.model, tokens_in=self.tokens, tokens_out=1, cost_usd=self.cost_usd))


def _bullets(project, summary):
    for task in parse_raw_memory(summary.raw_memory).tasks:
        for said in task.evidence:
            yield bullet(said.text, project, source(summary.session_id, said.turn, said.ordinal))
