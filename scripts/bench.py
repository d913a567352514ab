"""`make bench`: every measurement beside its budget, in one run. Machines are noisy: read ratios, and run it twice.

    .venv/bin/python scripts/bench.py [WORD]...      only the measurements whose names match a word
    .venv/bin/python scripts/bench.py million        what takes minutes, and is measured only when it is named

A budget that is not met is marked and fails nothing. What must hold on any machine (a huge file in little memory, or
that the measured work was done at all) is asserted by the tests themselves, and fails the command after the table.
"""

import json
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.budgets import Row  # noqa: E402  the path has to be set first

#: What `pip install vademecum` brings, by distribution.
MAX_INSTALL_MB = 45
#: The module of measurements that take minutes.
BY_NAME = "test_million"
HEADINGS = ("what", "median", "best median", "best", "unit", "budget", "met", "of what")
FOOT = "met: the best of three medians of consecutive rounds keeps the budget; figures taken once stand three times."


def measured(words: list[str]) -> tuple[list[Row], int]:
    """All measurements of tests/bench (or those that match the words), and the exit code of their run."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pytest", "tests/bench", "-m", "bench", "-n", "0", "-q", "-rs"]
        chosen = ["-k", " or ".join(words) if words else f"not {BY_NAME}"]
        options = ["--benchmark-only", "--benchmark-columns=median,min,rounds", f"--benchmark-json={report}"]
        plain = ["-o", "addopts=--strict-markers --import-mode=importlib"]
        code = subprocess.run([*command, *chosen, *options, *plain], cwd=ROOT, check=False).returncode
        benchmarks = json.loads(report.read_text())["benchmarks"] if report.exists() else []
    return [Row(**row) for benchmark in benchmarks for row in benchmark["extra_info"].get("rows", ())], code


def install_megabytes() -> float:
    """Size of the runtime dependencies and this package, with the byte code that is there: pip writes it, uv not."""
    site = Path(sysconfig.get_paths()["purelib"])
    names = {
        line.split("==")[0].strip().lower().replace("-", "_")
        for line in (ROOT / "locks/runtime.txt").read_text().splitlines()
        if "==" in line
    }
    owned: set[Path] = set()
    for record in site.glob("*.dist-info/RECORD"):
        if record.parent.name.split("-")[0].lower() in names:
            owned |= {site / line.split(",")[0] for line in record.read_text().splitlines()}
    files = [path for path in owned if path.is_file()] + [p for p in (ROOT / "src").rglob("*") if p.is_file()]
    return sum(path.stat().st_size for path in files) / 1e6


def table(rows: Iterable[Row]) -> str:
    """A markdown table, aligned so that a terminal shows it as well."""
    cells = [HEADINGS, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in cells]
    return "\n".join([lines[0], "| " + " | ".join("-" * width for width in widths) + " |", *lines[1:]])


def _cells(row: Row) -> tuple[str, ...]:
    figures = [_figure(value) for value in (row.median, row.judged, row.best)]
    return (row.what, *figures, row.unit, row.budget_words, row.met, row.mix)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main() -> int:
    rows, code = measured(sys.argv[1:])
    size = install_megabytes()
    rows.append(Row(what="install", unit="MB", median=size, judged=size, best=size, budget=MAX_INSTALL_MB))
    print(f"\n{table(rows)}\n\n{FOOT}")
    return code


if __name__ == "__main__":
    sys.exit(main())
