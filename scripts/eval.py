"""Runs the evaluation stories through the product and prints what was learned, missed and leaked, per host format.

python scripts/eval.py [--seed N] [--only WORDS] [--verbose] [--learner NAME [--yes]] [--write README.md]

The built-in learner costs nothing. Another one is set up as for daily use, by the settings `model` and `agent` of the
home or by their environment variables, and is sent every session of every story: so it wants `--yes`.
"""

import argparse
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from stories.judging import Verdict, judge, planted_at
from stories.model import Story
from stories.running import StoryFailed, forms_of, is_learned_in_steps, run_story
from stories.tales import STORIES
from vademecum.config import load_config
from vademecum.config_file import entries, read_tables
from vademecum.home import Home
from vademecum.learner_names import BUILT_IN, LEARNERS, MODEL

_TOTAL = "all"
_BEGIN = "<!-- The table of `make eval`: written by scripts/eval.py. -->"
_END = "<!-- End of the table. -->"
#: The tables of the settings that say who learns; all others are those of a new home.
_OF_LEARNERS = ("model", "agent")
#: Stories lie up to two weeks back, farther than a learner that costs money looks by itself.
_FOR_STORIES = {"max_rollout_age_days": 30}

_ORDERS = ("leak tool", "leak host", "leak other agent", "leak compaction", "leak taken back")
_NOT_MEANT = (
    *("leak one-off", "leak proposal", "leak bug", "leak joke", "leak maybe", "leak past"),
    *("leak question", "leak quote", "leak zh_noise"),
)


@dataclass(frozen=True)
class Column:
    """One column of the table that the README quotes: measures that belong together."""

    title: str
    #: How the names of its measures begin.
    measures: tuple[str, ...]
    #: Whether what went wrong is counted, not the share of what went well.
    counts_faults: bool = False


COLUMNS = (
    Column("rules recalled", ("recall ", "general rules in other projects")),
    Column("precision", ("precision",)),
    Column("reversals", ("reversals",)),
    Column("commands that failed, then worked", ("know-how",)),
    Column("leaks to other projects", ("leak to other projects",), counts_faults=True),
    Column("secrets leaked", ("leak secret", "leak private"), counts_faults=True),
    Column("orders obeyed that the user did not give", _ORDERS, counts_faults=True),
    Column("one-offs, proposals and noise kept", _NOT_MEANT, counts_faults=True),
    Column("deletions that came back", ("deleted lines",), counts_faults=True),
    Column("rewordings kept", ("reworded lines",)),
)
HEADINGS = ("learner", *(column.title for column in COLUMNS), "tokens of context, median (most)")


@dataclass
class Table:
    """Counts of met and all verdicts by measure and column."""

    met: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    all: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))

    def add(self, verdict: Verdict, column: str) -> None:
        """Counts one verdict in its column and in the total."""
        for name in (column, _TOTAL):
            self.met[verdict.measure, name] += verdict.met
            self.all[verdict.measure, name] += 1

    def lines(self) -> list[str]:
        """Measures by row, formats by column; a leak counts the places where nothing leaked."""
        measures = sorted({measure for measure, _ in self.all})
        columns = [*sorted({column for _, column in self.all} - {_TOTAL}), _TOTAL]
        head = f"{'measure':34}" + "".join(f"{column:>15}" for column in columns)
        return [head, *(self._line(measure, columns) for measure in measures)]

    def quoted(self, column: Column) -> str:
        """What stands in this column of the README."""
        measures = [key for key in self.all if key[1] == _TOTAL and key[0].startswith(column.measures)]
        met, total = sum(self.met[key] for key in measures), sum(self.all[key] for key in measures)
        if not total:
            return "-"
        return f"{total - met} of {total}" if column.counts_faults else f"{100 * met // total} % of {total}"

    def _line(self, measure: str, columns: list[str]) -> str:
        cells = [self._cell(measure, column) for column in columns]
        return f"{measure:34}" + "".join(f"{cell:>15}" for cell in cells)

    def _cell(self, measure: str, column: str) -> str:
        total = self.all[measure, column]
        return f"{self.met[measure, column]}/{total}" if total else "-"


@dataclass
class Result:
    """What the stories came to."""

    table: Table = field(default_factory=Table)
    misses: list[str] = field(default_factory=list)
    #: Of the largest context of each story.
    tokens: list[int] = field(default_factory=list)
    #: How many rules were planted, once per project in which they hold.
    planted: int = 0
    #: Stories that did not come to their end, with the reason.
    failed: list[str] = field(default_factory=list)

    @property
    def words_of_tokens(self) -> str:
        """The last column of the README."""
        return f"{sorted(self.tokens)[len(self.tokens) // 2]} ({max(self.tokens)})" if self.tokens else "-"

    def row(self, learner: str) -> tuple[str, ...]:
        """What stands in the README of this learner."""
        return (learner, *map(self.table.quoted, COLUMNS), self.words_of_tokens)


def column_of(story: Story, number: int, seed: int) -> str:
    """The column of the table that this story counts in."""
    return "mixed" if story.mixed else str(forms_of(story, number, seed)[0])


def run(chosen: Iterable[tuple[int, Story]], seed: int, learner: str) -> Result:
    """Run these stories, each in a home of its own."""
    result, today = Result(), datetime.now(UTC).date()
    tables = read_tables(Home.find(os.environ).config) if learner != BUILT_IN else {}
    settings = {**{name: entries(tables, name) for name in _OF_LEARNERS}, "memories": _FOR_STORIES}
    for number, story in chosen:
        with tempfile.TemporaryDirectory() as folder:
            try:
                told, outcome = run_story(number, story, seed, Path(folder), today, learner=learner, settings=settings)
            except StoryFailed as error:
                result.failed.append(f"{story.name}: {error}")
                continue
            result.tokens.append(outcome.tokens)
            result.planted += sum(planted_at(told, place) for place in outcome.contexts)
            for verdict in judge(told, outcome):
                result.table.add(verdict, column_of(story, number, seed))
                if not verdict.met:
                    result.misses.append(f"{story.name}: {verdict.measure}: {verdict.detail}")
    return result


def price(chosen: Sequence[tuple[int, Story]], learner: str) -> str:
    """What a learner that somebody pays for is about to be sent."""
    sessions = sum(len(story.sittings) for _, story in chosen)
    passes = sum(len(story.sittings) if is_learned_in_steps(number, story) else 1 for number, story in chosen)
    return (
        f"{learner} will be sent {sessions} sessions of {len(chosen)} stories, and asked to write memory up to "
        f"{passes} times."
    )


def markdown(rows: Iterable[Sequence[str]]) -> str:
    """The table as the README holds it."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "| --- |" + " --- |" * (len(HEADINGS) - 1), *lines[1:]])


def write_into(page: str, row: Sequence[str]) -> str:
    """The page with this row in its table, in place of the learner's former one; rows of other learners stay.

    Raises ValueError where the page has no place for the table.
    """
    before, begin, rest = page.partition(_BEGIN)
    former, end, after = rest.partition(_END)
    if not (begin and end):
        raise ValueError(f"the page lacks the lines {_BEGIN!r} and {_END!r}")
    cells = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in former.strip().splitlines()]
    others = [known for known in cells[2:] if known[0] != row[0]] if cells[:1] == [HEADINGS] else []
    rows = sorted([tuple(row), *others], key=lambda cells: (not cells[0].startswith(f"`{BUILT_IN}`"), cells[0]))
    return f"{before}{begin}\n{markdown([HEADINGS, *rows])}\n{end}{after}"


def print_result(result: Result, seed: int, *, verbose: bool) -> None:
    print(f"{len(result.tokens)} stories, seed {seed}; expectations met / all\n")
    print("\n".join(result.table.lines()))
    print(
        f"\npreference bullets per planted rule: {result.table.all['precision', _TOTAL] / max(result.planted, 1):.2f}"
    )
    print(f"tokens of context, median (most): {result.words_of_tokens}")
    if verbose:
        print("\n" + "\n".join(result.misses))
    for reason in result.failed:
        print(f"did not come to its end: {reason}")


def label(learner: str) -> str:
    """How the README calls this learner."""
    config = load_config(Home.find(os.environ).config, os.environ)
    return f"`{learner}` ({config.extract_model})" if learner == MODEL else f"`{learner}`"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the stories and prints the table; misses do not change the exit code, the acceptance tests do that."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="another seed tells the stories with other words")
    parser.add_argument("--only", default="", help="run only stories whose name contains this")
    parser.add_argument("--verbose", action="store_true", help="list every expectation that was not met")
    parser.add_argument("--learner", choices=LEARNERS, default=BUILT_IN, help="who learns")
    parser.add_argument("--yes", action="store_true", help="send the stories to a learner that somebody pays for")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the figures into the table of this page")
    options = parser.parse_args(arguments)
    if options.write and options.only:
        parser.error("--write quotes all stories: leave --only out")
    chosen = [(number, story) for number, story in enumerate(STORIES) if options.only in story.name]
    if options.learner != BUILT_IN and not options.yes:
        print(f"{price(chosen, options.learner)}\nNothing was sent. Add --yes to go on.")
        return 2
    result = run(chosen, options.seed, options.learner)
    print_result(result, options.seed, verbose=options.verbose)
    row = result.row(label(options.learner))
    print(f"\n{markdown([HEADINGS, row])}")
    if options.write and not result.failed:
        options.write.write_text(write_into(options.write.read_text("utf-8"), row), encoding="utf-8")
    return 1 if result.failed else 0


if __name__ == "__main__":
    sys.exit(main())
