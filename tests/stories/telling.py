"""A story and a seed make session scripts, and the list of what memory must, may and may not hold afterwards."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from stories.model import (
    Answer,
    ByHand,
    Delegate,
    Fold,
    FromHost,
    Run,
    Say,
    Sitting,
    Step,
    Story,
    TakeBack,
    ToolSays,
    Work,
)
from stories.phrasebook import Filler, Phrase, load_phrases, word_pools
from support.compose import (
    Assistant,
    Compaction,
    HostText,
    Human,
    Rewound,
    Script,
    SubAgent,
    Tool,
    Turn,
    shell,
)

__all__ = ["Edited", "Forbidden", "KnowHow", "Replaced", "Spoken", "Told", "Wanted", "tell"]

_RULE_TABLES = frozenset({"rule", "reverse", "habit", "correction", "zh", "de", "fr", "es", "ja", "ko"})
_NOT_A_RULE_TABLES = frozenset({"question", "maybe", "quote", "bug", "past", "joke", "paste", "zh_noise"})
#: Said so often in distinct sessions, a request is a preference; said once it is not; between them both are fair.
REPEATS_THAT_COUNT = 3
_DAYS_BACK = 14


@dataclass(frozen=True)
class Spoken:
    """What was said, and how to know it again."""

    #: All of them stand on the line that keeps it.
    words: tuple[str, ...]
    #: As it was said: a line that is an excerpt of one of these keeps it in part.
    wordings: tuple[str, ...]


@dataclass(frozen=True)
class Wanted:
    """This stands on one line of the context in these projects (general: everywhere)."""

    phrase: str
    kind: str
    spoken: Spoken
    projects: frozenset[str]
    #: Projects in which a later or narrower rule decides: whether this one stands there is not judged here.
    overruled: frozenset[str]
    reach: str
    language: str


@dataclass(frozen=True)
class Forbidden:
    """These words stand on no line of any context; `index_ok`: except in the index of past work."""

    phrase: str
    category: str
    words: tuple[str, ...]
    index_ok: bool


@dataclass(frozen=True)
class Replaced:
    """In this project the new words stand on a line, and the old ones on none that lacks the new."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    project: str


@dataclass(frozen=True)
class KnowHow:
    """The handbook keeps a command with these words."""

    phrase: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Edited:
    """The person edited the lines with these words by hand when this sitting was learned."""

    after: int
    phrase: str
    words: tuple[str, ...]
    #: Empty: they deleted the lines.
    becomes: str
    projects: frozenset[str]


@dataclass
class Told:
    """One story, ready to be written down and learned from."""

    story: Story
    scripts: list[Script] = field(default_factory=list)
    #: Working directory of each project key.
    folders: dict[str, str] = field(default_factory=dict)
    wanted: list[Wanted] = field(default_factory=list)
    forbidden: list[Forbidden] = field(default_factory=list)
    replaced: list[Replaced] = field(default_factory=list)
    know_how: list[KnowHow] = field(default_factory=list)
    edited: list[Edited] = field(default_factory=list)
    #: kind of secret -> values that may be nowhere below the home; "private" are words from `<private>` text.
    hidden: dict[str, list[str]] = field(default_factory=dict)
    #: What may stand or not: no miss, no leak, no wrong bullet.
    tolerated: list[Spoken] = field(default_factory=list)
    #: How many sessions may leave no record.
    junk_sessions: int = 0


def tell(story: Story, seed: int, today: date) -> Told:
    """The story in the variant of this seed; its sessions lie in the two weeks before `today`."""
    return _Teller(story, seed, today).tell()


class _Teller:
    def __init__(self, story: Story, seed: int, today: date) -> None:
        self.rng = random.Random(f"{seed}/{story.name}")
        self.story, self.seed, self.today = story, seed, today
        self.filler = Filler(self.rng)
        self.phrases = load_phrases()
        self.asks = self._shuffled("ask")
        self.told = Told(story, folders=self._folders())
        #: phrase -> the sittings (number, project) in which the user said it, on the live branch.
        self.said: dict[str, list[tuple[int, str]]] = {}
        self.heard: list[tuple[str, str, bool]] = []
        self.takes: dict[str, int] = {}

    def tell(self) -> Told:
        for number, sitting in enumerate(self.story.sittings):
            self.told.scripts.append(self.script(number, sitting))
        self.told.junk_sessions = sum(sitting.junk or sitting.memory_off for sitting in self.story.sittings)
        self.told.hidden = {kind: values for kind, values in self.filler.secrets.items() if values}
        for phrase_id, places in self.said.items():
            self.expect(phrase_id, places)
        for phrase_id, category, index_ok in self.heard:
            if phrase_id not in self.said:
                self.forbid(phrase_id, category, index_ok=index_ok)
        return self.told

    # -- sessions ---------------------------------------------------------------------------------------------------

    def script(self, number: int, sitting: Sitting) -> Script:
        hour = timedelta(hours=self.rng.randrange(8, 18), minutes=self.rng.randrange(60))
        day = self.today - timedelta(days=_DAYS_BACK - number)
        turns = tuple(self.turns(sitting.steps, (number, sitting.project), live=not sitting.memory_off))
        return Script(
            label=f"{self.story.name}/{number}",
            cwd=self.told.folders[sitting.project],
            turns=turns,
            started_at=datetime.combine(day, time(), UTC) + hour,
            seed=self.seed,
            memory_off=sitting.memory_off,
        )

    def turns(self, steps: Iterable[Step], place: tuple[int, str], *, live: bool) -> Iterable[Turn]:
        for step in steps:
            yield from self.step(step, place, live=live)

    def step(self, step: Step, place: tuple[int, str], *, live: bool) -> Iterable[Turn]:
        match step:
            case Say():
                yield from self.request(step, place, live=live)
            case Answer():
                yield Assistant(text=self.join(step.phrases, "proposal", index_ok=True), final=step.final)
            case Work():
                yield from self.work(place, live=live)
            case Run():
                yield self.run(step.phrase)
            case ToolSays():
                yield self.tool_says(step)
            case FromHost():
                yield HostText(text=self.overheard(step.phrase, "host order"), kind=step.kind)
            case Fold():
                yield Compaction(summary=self.overheard(step.phrase, "compaction summary"))
            case TakeBack():
                yield Rewound(turns=tuple(self.turns(step.steps, place, live=False)))
            case Delegate():
                yield SubAgent(
                    prompt=self.overheard(step.order, "other agent"), result=self.overheard(step.result, "other agent")
                )

    def request(self, step: Say, place: tuple[int, str], *, live: bool) -> Iterable[Turn]:
        yield Human(text=self.human(step, place, live=live))
        if any(phrase_id.startswith("ask.") for phrase_id in step.phrases):
            yield from self.tool_calls()

    def work(self, place: tuple[int, str], *, live: bool) -> Iterable[Turn]:
        yield from self.request(Say((self.asks.pop(),)), place, live=live)
        yield Assistant(text=self.words("reply.done"))
        if self.rng.random() < 0.5:
            yield Human(text=self.words("praise.good"))

    def tool_calls(self) -> Iterable[Turn]:
        """What an assistant does between a request and its answer."""
        yield Assistant(text=self.words("reply.looking"), final=False)
        yield self.run(self.rng.choice(["tool.ls", "tool.status", "tool.grep"]))
        yield Tool(tool="edit", input={"path": "src/app.py", "old": "return None", "new": "return state"}, output="ok")
        yield self.run("tool.ok_tests")

    def run(self, phrase_id: str) -> Tool:
        phrase = self.phrases[phrase_id]
        if phrase.keep:
            self.told.know_how.append(KnowHow(phrase_id, phrase.keep))
        output = self.filler.fill(phrase_id, self.rng.choice(phrase.says))
        return shell(self.filler.fill(phrase_id, phrase.command), output, failed=phrase.failed)

    def tool_says(self, step: ToolSays) -> Tool:
        text = self.overheard(step.phrase, "tool order")
        if step.via == "read":
            return Tool(tool="read", input={"path": "README.md"}, output=text)
        if step.via == "shell":
            return shell("make check", text)
        return Tool(tool=step.via, input={"query": "how to"}, output=text)

    # -- words ------------------------------------------------------------------------------------------------------

    def human(self, step: Say, place: tuple[int, str], *, live: bool) -> str:
        for phrase_id in step.phrases:
            if live:
                self.said.setdefault(phrase_id, []).append(place)
            else:
                self.heard.append((phrase_id, "taken back or off", False))
        texts = [self.words(phrase_id, step.take) for phrase_id in step.phrases]
        return self.rng.choice([". ", "\n", "\n\n"]).join(texts)

    def join(self, phrase_ids: Iterable[str], category: str, *, index_ok: bool) -> str:
        return " ".join(self.overheard(phrase_id, category, index_ok=index_ok) for phrase_id in phrase_ids)

    def overheard(self, phrase_id: str, category: str, *, index_ok: bool = False) -> str:
        self.heard.append((phrase_id, category, index_ok))
        return self.words(phrase_id)

    def words(self, phrase_id: str, take: int | None = None) -> str:
        """The next wording of this phrase; the seed decides where the row starts."""
        says = self.phrases[phrase_id].says
        if take is None:
            first = self.takes.setdefault(phrase_id, self.rng.randrange(len(says)))
            self.takes[phrase_id] = first + 1
            take = first
        return self.filler.fill(phrase_id, says[take % len(says)])

    # -- what follows from it ---------------------------------------------------------------------------------------

    def expect(self, phrase_id: str, places: list[tuple[int, str]]) -> None:
        table, phrase = phrase_id.partition(".")[0], self.phrases[phrase_id]
        edits = [edit for edit in self.story.by_hand if edit.phrase == phrase_id]
        if edits:
            self.edited(phrase, edits, frozenset(project for _, project in places))
        elif table in _RULE_TABLES:
            self.want(phrase_id, phrase, table, places)
        elif table == "repeat":
            self.expect_repeat(phrase_id, phrase, places)
        elif table == "private":
            self.told.hidden.setdefault("private", []).extend(self.filled(phrase_id, phrase.never))
        elif phrase.never:
            self.forbid(phrase_id, table if table in _NOT_A_RULE_TABLES else "one-off", index_ok=True)

    def edited(self, phrase: Phrase, edits: Iterable[ByHand], projects: frozenset[str]) -> None:
        """The person's own words stand in the place of what was learned."""
        for edit in edits:
            words = self.filled(edit.phrase, phrase.must)
            self.told.edited.append(Edited(edit.after, edit.phrase, words, edit.becomes, projects))
            if edit.becomes:
                self.told.tolerated.append(Spoken((edit.becomes,), (edit.becomes,)))

    def expect_repeat(self, phrase_id: str, phrase: Phrase, places: list[tuple[int, str]]) -> None:
        sessions = len({number for number, _ in places})
        if sessions >= REPEATS_THAT_COUNT:
            self.want(phrase_id, phrase, "repeat", places)
        elif sessions == 1:
            self.forbid(phrase_id, "one-off", index_ok=True)
        else:
            self.told.tolerated.append(self.spoken_as(phrase_id))

    def want(self, phrase_id: str, phrase: Phrase, table: str, places: list[tuple[int, str]]) -> None:
        spoken = self.spoken_as(phrase_id)
        projects = frozenset(project for _, project in places)
        exempt = frozenset(project for general, project in self.story.exceptions if general == phrase_id)
        replaced = self.replaced(phrase_id, phrase, projects)
        overruled = exempt | frozenset(item.project for item in replaced)
        self.told.replaced += replaced
        # What was said in distinct projects may be taken as general.
        reach = "either" if phrase.reach == "project" and len(projects) > 1 else phrase.reach
        if projects - overruled:
            self.told.wanted.append(
                Wanted(phrase_id, table, spoken, projects - overruled, overruled, reach, phrase.language)
            )
        if exempt or (reach == "either" and not replaced):
            self.told.tolerated.append(spoken)

    def replaced(self, phrase_id: str, phrase: Phrase, projects: frozenset[str]) -> list[Replaced]:
        """Where a later phrase of the story took the place of this one: a general rule falls everywhere."""
        news = [new for old, new in self.story.reversals if old == phrase_id and new in self.said]
        words = self.filled(phrase_id, phrase.must)
        return [
            Replaced(words, self.filled(new, self.phrases[new].must), project)
            for new in news
            for project in sorted({project for _, project in self.said[new]} | set(projects))
            if phrase.reach == "general" or project in projects & {project for _, project in self.said[new]}
        ]

    def spoken_as(self, phrase_id: str) -> Spoken:
        wordings = tuple(self.filler.fill(phrase_id, wording) for wording in self.phrases[phrase_id].says)
        return Spoken(self.filled(phrase_id, self.phrases[phrase_id].must), wordings)

    def forbid(self, phrase_id: str, category: str, *, index_ok: bool) -> None:
        phrase = self.phrases[phrase_id]
        words = self.filled(phrase_id, phrase.never or phrase.must)
        if words:
            self.told.forbidden.append(Forbidden(phrase_id, category, words, index_ok))

    def filled(self, phrase_id: str, words: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.filler.fill(phrase_id, word) for word in words)

    # -- drawing ----------------------------------------------------------------------------------------------------

    def _shuffled(self, table: str) -> list[str]:
        ids = sorted(phrase_id for phrase_id in self.phrases if phrase_id.startswith(f"{table}."))
        return self.rng.sample(ids, len(ids))

    def _folders(self) -> dict[str, str]:
        pools = word_pools()
        root = f"/home/{self.rng.choice(pools['user'])}/{self.rng.choice(pools['place'])}"
        names = self.rng.sample(pools["project"], 4)
        return {key: f"{root}/{name}" for key, name in zip("abcd", names, strict=True)}
