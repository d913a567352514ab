"""What a consolidation works on, without sessions and without a real learner."""

from datetime import UTC, datetime

from vademecum.artifacts import HANDBOOK_PATH, HEADINGS, SUMMARY_PATH, Bullet, bullet_key, render_bullet
from vademecum.learners import Consolidated, Verdict
from vademecum.state import Record

AT = datetime(2026, 11, 2, 9, tzinfo=UTC)
KEY = bullet_key("/srv/shop", "s1#t1")
HANDBOOK = "# Task Group: /srv/shop\n\n## User preferences\n{}\n"
SUMMARY = "v1\n\n" + "\n\n".join(HEADINGS) + "\n"


def record(session_id="s1", **changes):
    values = {
        "session_id": session_id,
        "host": "a-host",
        "cwd": "/srv/shop",
        "branch": "main",
        "started_at": AT,
        "updated_at": AT,
        "outcome": "success",
        "slug": "work",
        "stem": f"2026-11-02T09-00-00-abcd-{session_id}",
        "raw_memory": "raw\n",
        "rollout_summary": "recap\n",
        "learner": "fake",
        "extracted_at": AT,
    }
    return Record(**values | changes)


class FakeLearner:
    """Writes one bullet per session, or what the test wants."""

    name = "fake"
    version = 1
    input_tokens = 0
    files_tokens = 0
    models = ()
    setup = ""

    def __init__(self, files=None, error=None, verdict=Verdict.WROTE, came_back=()):
        self.files, self.error, self.tasks = files, error, []
        self.answer = Consolidated(verdict=verdict, came_back=came_back)

    def consolidate(self, task, draft):
        self.tasks.append(task)
        if self.error:
            raise self.error
        bullets = [
            Bullet(text=f"rule of {source.partition('#')[0]}", key=bullet_key("/srv/shop", source), sources=(source,))
            for source in (f"{session.summary.session_id}#t1" for session in task.sessions)
        ]
        written = {HANDBOOK_PATH: HANDBOOK.format("\n".join(map(render_bullet, bullets))), SUMMARY_PATH: SUMMARY}
        for path, text in (self.files or written).items():
            draft.write(path, text)
        return self.answer
