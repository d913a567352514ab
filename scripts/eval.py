"""Runs the evaluation stories through the product and prints what was learned, missed and leaked, per host format.

python scripts/eval.py [--seed N] [--only WORDS] [--verbose]
"""

import argparse
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from stories.judging import Verdict, judge, planted_at
from stories.model import Story
from stories.running import forms_of, run_story
from stories.tales import STORIES

_TOTAL = "all"


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

    def _line(self, measure: str, columns: list[str]) -> str:
        cells = [self._cell(measure, column) for column in columns]
        return f"{measure:34}" + "".join(f"{cell:>15}" for cell in cells)

    def _cell(self, measure: str, column: str) -> str:
        total = self.all[measure, column]
        return f"{self.met[measure, column]}/{total}" if total else "-"


def column_of(story: Story, number: int, seed: int) -> str:
    """The column of the table that this story counts in."""
    return "mixed" if story.mixed else str(forms_of(story, number, seed)[0])


def main() -> int:
    """Runs the stories and prints the table; misses do not change the exit code, the acceptance tests do that."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="another seed tells the stories with other words")
    parser.add_argument("--only", default="", help="run only stories whose name contains this")
    parser.add_argument("--verbose", action="store_true", help="list every expectation that was not met")
    options = parser.parse_args()
    table, misses, tokens, planted = Table(), [], [], 0
    today = datetime.now(UTC).date()
    for number, story in enumerate(STORIES):
        if options.only not in story.name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            told, outcome = run_story(number, story, options.seed, Path(folder), today)
            tokens.append(outcome.tokens)
            planted += sum(planted_at(told, place) for place in outcome.contexts)
            for verdict in judge(told, outcome):
                table.add(verdict, column_of(story, number, options.seed))
                if not verdict.met:
                    misses.append(f"{story.name}: {verdict.measure}: {verdict.detail}")
    print(f"{len(tokens)} stories, seed {options.seed}; expectations met / all\n")
    print("\n".join(table.lines()))
    print(f"\npreference bullets per planted rule: {table.all['precision', _TOTAL] / max(planted, 1):.2f}")
    print(f"tokens of context: median {sorted(tokens)[len(tokens) // 2]}, most {max(tokens)}")
    if options.verbose:
        print("\n" + "\n".join(misses))
    return 0


if __name__ == "__main__":
    sys.exit(main())
