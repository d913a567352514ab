"""From records to the handbook and the summary, without a model: group, merge, order, render."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from vademecum.artifacts import (
    HANDBOOK_PATH,
    MAX_SOURCES,
    SUMMARY_PATH,
    Bullet,
    HandbookTask,
    IndexTopic,
    Kind,
    Note,
    ProjectPart,
    SummaryParts,
    TaskFile,
    TaskGroup,
    format_day,
    plain_line,
    render_handbook,
    render_summary,
)
from vademecum.learners.extractive.heard import Heard
from vademecum.learners.extractive.keys import Keys
from vademecum.learners.extractive.keywords import keywords_of
from vademecum.learners.extractive.sentences import Sentence
from vademecum.learners.extractive.similarity import meaning, same_request, same_statement
from vademecum.learners.extractive.statements import (
    Cluster,
    Statement,
    Studied,
    cluster,
    distinct,
    statements,
    study,
)
from vademecum.learners.extractive.tips import tips_of
from vademecum.learners.protocol import ConsolidationTask

__all__ = ["Artefacts", "consolidate"]

_SAID = frozenset({Kind.RULE, Kind.HABIT, Kind.CORRECTION})
_ASKED = frozenset({Kind.REQUEST})
_WORKED = frozenset({Kind.COMMAND})
_SEEN = frozenset({Kind.FILE, Kind.FACT})
_FAILED = frozenset({Kind.FAILURE, Kind.ERROR})
#: A request is a preference only when it came in this many distinct sessions.
_RECURRING_SESSIONS = 2
#: A shorter request ("run the tests") says nothing about this user.
_RECURRING_WORDS = 4
#: ... and so does one about nothing in particular.
_RECURRING_CONTENT = 2
#: So many sessions of a project, the newest, are listed; rules and know-how come from all of them.
_MAX_SESSIONS = 200
_MAX_KNOWLEDGE = 24
_MAX_FAILURES = 16
_NOTE_CHARACTERS = 300


class Artefacts(msgspec.Struct, frozen=True, kw_only=True):
    """Both artefacts, and what is new in them by a person's second word."""

    #: Memory path -> text; an empty one where nothing is known.
    texts: dict[str, str]
    #: Statements that a person had removed and has said again since.
    came_back: tuple[str, ...]


def consolidate(task: ConsolidationTask) -> Artefacts:
    """Group, merge, order and render; the same input gives the same bytes."""
    keys = Keys(task)
    studied = study(task.sessions)
    preferences = _preferences(studied, task.notes, keys)
    commands = _by_scope(cluster(statements(studied, _WORKED, known=keys.sources)), keys, _MAX_KNOWLEDGE)
    seen = _by_scope(cluster(statements(studied, _SEEN, known=keys.sources)), keys, _MAX_KNOWLEDGE)
    failures = _by_scope(cluster(statements(studied, _FAILED, known=keys.sources)), keys, _MAX_FAILURES)
    projects = _projects_by_use(studied)
    groups = [
        TaskGroup(
            project=project,
            tasks=tuple(_tasks(sessions[:_MAX_SESSIONS])),
            preferences=tuple(preferences.get(project, ())),
            knowledge=(*commands.get(project, ()), *seen.get(project, ())),
            failures=tuple(failures.get(project, ())),
        )
        for project, sessions in projects.items()
    ]
    everywhere = TaskGroup(project="", preferences=tuple(preferences.get("", ())))
    if "" not in projects and everywhere.preferences:
        groups.insert(0, everywhere)
    parts = tuple(
        _part(group, projects.get(group.project, []), tips_of(commands.get(group.project, ()), group.failures))
        for group in groups
    )
    summary = SummaryParts(profile=tuple(_profile(projects)), parts=parts)
    texts = {HANDBOOK_PATH: render_handbook(groups), SUMMARY_PATH: render_summary(summary)}
    return Artefacts(texts=texts, came_back=tuple(keys.came_back))


def _preferences(studied: Sequence[Studied], notes: Sequence[Note], keys: Keys) -> dict[str, list[Bullet]]:
    # Marked before anything is left out: what a person removed still took the place of what they said before it.
    said = distinct(statements(studied, _SAID, known=keys.sources))
    standing = [item for item in map(keys.standing, said) if item]
    bullets: dict[str, list[Bullet]] = defaultdict(list)
    # A note that states a fact stands here too: no cue tells a fact from a wish in every language, and a wish among the
    # knowledge would be the first to give way where the context is full. `[note]` says what it is.
    for same in _distinct_notes(notes):
        if kept := keys.standing_notes(same):
            bullets[""].append(keys.bullet("", _note_text(kept[-1]), [note.path for note in kept]))
    for item in sorted(standing, key=_usefulness, reverse=True):
        text, sources = item.newest.evidence.text, _sources(item)
        bullets[item.scope].append(keys.bullet(item.scope, text, sources, item.superseded))
    for item in _recurring(studied, keys):
        text = f"Asked in {item.sessions} sessions: {item.newest.evidence.text}"
        bullets[item.scope].append(keys.bullet(item.scope, text, _sources(item)))
    return {scope: sorted(found, key=lambda bullet: bool(bullet.superseded)) for scope, found in bullets.items()}


def _sources(item: Cluster) -> list[str]:
    return [statement.source for statement in item.statements]


def _usefulness(item: Cluster) -> tuple[float, str]:
    """Newest first; every further session that said it counts like ten days."""
    return item.at.timestamp() + 864_000 * (item.sessions - 1), item.newest.source


def _recurring(studied: Sequence[Studied], keys: Keys) -> list[Cluster]:
    asked = list(filter(_says_something, statements(studied, _ASKED, known=keys.sources)))
    again = (item for item in cluster(asked, same=same_request) if item.sessions >= _RECURRING_SESSIONS)
    found = [item for item in again if not _inquires(item)]
    standing = [item for item in map(keys.standing, found) if item and item.sessions >= _RECURRING_SESSIONS]
    return sorted(standing, key=_usefulness, reverse=True)


def _inquires(asked: Cluster) -> bool:
    """A question for information shows no liking, however often it is asked; one in other words is one too."""
    return any(Heard.of(Sentence(text=one.evidence.text, ordinal=1)).inquires for one in asked.statements)


def _says_something(asked: Statement) -> bool:
    words = len(asked.evidence.text.split())
    # Text without spaces between its words counts by its content alone.
    return len(asked.meaning.content) >= _RECURRING_CONTENT and (words >= _RECURRING_WORDS or words == 1)


def _distinct_notes(notes: Sequence[Note]) -> list[list[Note]]:
    """Notes that say the same thing together, the newest group first; a bullet names all notes it stands for."""
    groups: list[list[Note]] = []
    for note in notes:
        said = meaning(note.text)
        home = next((group for group in groups if same_statement(meaning(group[-1].text), said)), None)
        if home is None or len(home) == MAX_SOURCES:
            groups.append([note])
        else:
            home.append(note)
    return groups[::-1]


def _note_text(note: Note) -> str:
    text = " ".join(note.text.split())
    cut = f"{text[:_NOTE_CHARACTERS].rstrip()} ..." if len(text) > _NOTE_CHARACTERS else text
    return f"{cut} [note]"


def _by_scope(clusters: Iterable[Cluster], keys: Keys, limit: int) -> dict[str, list[Bullet]]:
    """Knowledge belongs to the project it was met in, whoever else met it."""
    bullets: dict[str, list[Bullet]] = defaultdict(list)
    for item in sorted(clusters, key=_usefulness, reverse=True):
        for project in dict.fromkeys(statement.project for statement in item.statements):
            own = [statement for statement in item.statements if statement.project == project]
            # What tools did again is no person's word: knowledge that was removed stays away.
            if len(bullets[project]) < limit and not keys.is_removed(project, own):
                sources = [statement.source for statement in own]
                bullets[project].append(keys.bullet(project, own[-1].evidence.text, sources))
    return bullets


def _projects_by_use(studied: Sequence[Studied]) -> dict[str, list[Studied]]:
    """Project -> its sessions, newest first; the project that was worked in last comes first."""
    projects: dict[str, list[Studied]] = defaultdict(list)
    for session in sorted(studied, key=lambda item: (item.summary.updated_at, item.path), reverse=True):
        projects[session.project].append(session)
    return dict(projects)


def _tasks(sessions: Sequence[Studied]) -> Iterable[HandbookTask]:
    for session in sessions:
        file = TaskFile(
            path=session.path,
            cwd=session.summary.cwd,
            updated_at=session.summary.updated_at,
            session_id=session.summary.session_id,
        )
        for task in session.memory.tasks:
            keywords = keywords_of([task])
            yield HandbookTask(title=task.title, outcome=task.outcome, files=(file,), keywords=keywords)


def _profile(projects: dict[str, list[Studied]]) -> list[str]:
    if not projects:
        return ["Nothing is known yet."]
    places = [f"{plain_line(project, 120)} ({len(sessions)})" for project, sessions in projects.items() if project][:8]
    hosts = sorted({session.summary.host for sessions in projects.values() for session in sessions})
    lines = [f"Works with: {', '.join(hosts)}."]
    return [f"Works in (sessions): {', '.join(places)}.", *lines] if places else lines


def _part(group: TaskGroup, sessions: Sequence[Studied], tips: Sequence[Bullet]) -> ProjectPart:
    return ProjectPart(
        project=group.project,
        preferences=tuple(bullet for bullet in group.preferences if not bullet.superseded),
        tips=tuple(tips),
        topics=tuple(topic for session in sessions[:_MAX_SESSIONS] for topic in _topics(session)),
    )


def _topics(session: Studied) -> Iterable[IndexTopic]:
    day = format_day(session.summary.updated_at)
    for task in session.memory.tasks:
        title = f"{task.title} ({task.outcome})"
        yield IndexTopic(day=day, title=title, keywords=keywords_of([task]), path=session.path)
