"""`make bench`: every measurement beside its budget, in one run. Machines are noisy: read ratios, and run it twice."""

import json
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
#: What `pip install vademecum` brings, by distribution.
MAX_INSTALL_MB = 45


def run_benchmarks(words: list[str]) -> list[dict[str, Any]]:
    """All measurements of tests/bench (or those that match the words)."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pytest", "tests/bench", "-m", "bench", "--benchmark-only", "-n", "0", "-q"]
        chosen = ["-k", " or ".join(words)] if words else []
        subprocess.run(
            [*command, *chosen, f"--benchmark-json={report}", "-o", "addopts=--strict-markers --import-mode=importlib"],
            cwd=ROOT,
            check=True,
        )
        return json.loads(report.read_text())["benchmarks"]


def rows(benchmarks: list[dict[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """Name, median, what else was measured."""
    bare = next((b["stats"]["median"] for b in benchmarks if "bare interpreter" in b["name"]), None)
    for benchmark in benchmarks:
        median = benchmark["stats"]["median"]
        extra = ", ".join(f"{key} {value}" for key, value in benchmark["extra_info"].items())
        if bare and "test_startup" in benchmark["fullname"]:
            extra = f"{median / bare:.1f} x a bare interpreter"
        yield benchmark["name"].removeprefix("test_"), f"{median * 1000:.2f} ms", extra


def install_megabytes() -> float:
    """Size of the runtime dependencies and this package, byte code included."""
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


def main() -> None:
    table = list(rows(run_benchmarks(sys.argv[1:])))
    width = max(len(name) for name, *_ in table)
    print(f"\n{'what':<{width}}  {'median':>12}")
    for name, median, extra in table:
        print(f"{name:<{width}}  {median:>12}  {extra}")
    print(f"\ninstalled: {install_megabytes():.1f} MB (budget {MAX_INSTALL_MB} MB), byte code included")


if __name__ == "__main__":
    main()
