"""Which facts a result has told: handbook, summary, rollout summary and note hold the same one in other dress."""

import re
from collections.abc import Iterable

from vademecum.artifacts import Outcome, parse_evidence

__all__ = ["ToldFacts"]

_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)]) ")
_ENDED = rf"(?:{'|'.join(Outcome)})"
#: As handbook, rollout summary and raw memory head a task, and as a rollout summary describes itself.
_TITLE = re.compile(rf"#{{2,4}} Task \d{{1,4}}: (.+?)(?:, {_ENDED})?$|(?:# |description: )(.+) \({_ENDED}\)$")
#: As the summary lists it.
_INDEXED = re.compile(rf"- (.+) \({_ENDED}\) \([^()]*\): rollout_summaries/\S+$")
_TURN = re.compile(r" \[t\d{1,7}(?:\.\d{1,4})?\]$")


class ToldFacts:
    """The facts of the hits so far, each with the projects that it was told of."""

    def __init__(self) -> None:
        self._projects: dict[str, set[str]] = {}
        #: How many hits said what was told before them.
        self.repeated = 0

    def is_new(self, told: Iterable[str], untold: Iterable[str], project: str | None) -> bool:
        """Note the lines of a memory file that a hit tells; whether its passage says what no hit before it told.

        `untold`: lines of the passage that answer as well and are not shown. The same words are another fact in
        another project; a file that names no project (the summary) repeats any. Where no line is a bullet there is no
        fact, and what is no fact repeats nothing.
        """
        name = project or ""
        shown, hidden = _facts(told), _facts(untold)
        is_new = not (shown or hidden) or not all(self._was_told(fact, name) for fact in shown | hidden)
        for fact in shown:
            self._note(fact, name)
        self.repeated += not is_new
        return is_new

    def _was_told(self, fact: str, project: str) -> bool:
        projects = self._projects.get(fact, set())
        return project in projects or projects == {""} or (bool(projects) and not project)

    def _note(self, fact: str, project: str) -> None:
        projects = self._projects.setdefault(fact, set())
        if project:
            projects.discard("")  # what named no project was told of this one: the next project tells another fact
        if project or not projects:
            projects.add(project)


def _facts(lines: Iterable[str]) -> set[str]:
    return {fact for line in lines if (fact := _fact(line))}


def _fact(line: str) -> str:
    """The words of a bullet or a task's title without their dress; empty for any other line.

    A title is kept apart from a bullet of the same words: the one tells what was done, the other what holds.
    """
    evidence = parse_evidence(line)
    bullet = _BULLET.match(line)
    title = _TITLE.match(line) or _INDEXED.match(line)
    if evidence:
        words = evidence.text
    elif title:
        words = f"# {title[title.lastindex or 0]}"
    elif bullet:
        words = _TURN.sub("", line[bullet.end() :].rstrip())
    else:
        words = ""
    return " ".join(words.split()).rstrip(".").lower()
