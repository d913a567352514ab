"""Part of `make docs`: what the pages name exists, and what exists is named where users look for it.

Commands, settings, error codes, cases, landing rules, kinds of secrets and tables; links, tests and numbers.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from vademecum import errors
from vademecum.cli.app import COMMANDS
from vademecum.config import SETTINGS
from vademecum.memfs.landing.checks import RULES
from vademecum.secrets.shapes import INFIXED, PREFIXED

ROOT = Path(__file__).resolve().parent.parent
MAX_COLUMNS = 120
#: Printed by the boundary of the command line for faults of the program; no class of its own.
BUG = "bug"

Pages = dict[str, str]

_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_COMMAND = re.compile(r"(?:`|^\$ |^)vade ([a-z][a-z-]*)", re.MULTILINE)
_TEST = re.compile(r"`(tests/[\w./-]+?\.py)(?:::(\w+))?`")
_CODE_ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
#: The row of a code, with those below it that have no code of their own.
_CODE_ROWS = re.compile(r"^\| `(\w+)` \|(.*\n(?:\| \|.*\n)*)", re.MULTILINE)
_SETTING = re.compile(rf"`((?:{'|'.join(sorted({setting.key.partition('.')[0] for setting in SETTINGS}))})\.\w+)`")
_CASE = re.compile(r"\b(?:core|codex|user)-(?:[A-Z]+\d+|\d+\.\d+)\b")
_CASE_ROW = re.compile(r"^\| `([\w.-]+)` \|.*\| (.+) \|$", re.MULTILINE)
_TABLE = re.compile(r"^CREATE (?:VIRTUAL )?TABLE (\w+)", re.MULTILINE)
_DECISION = re.compile(r"^## (\d+)\. ", re.MULTILINE)
#: Paths of one machine. The user of all examples is Ada, whose home is /home/ada.
_MACHINE = re.compile(r"(?<![\w.~-])/(?:work|root|tmp|Users|home(?!/ada\b))/[\w.-]+")


def read_pages() -> Pages:
    """Path from the root -> text."""
    files = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in sorted(files)}


def problems(pages: Pages) -> Iterator[str]:
    """One sentence per fault."""
    for check in (
        commands,
        settings,
        error_codes,
        next_steps,
        cases,
        landing_rules,
        secret_kinds,
        tables,
        decisions,
        links,
        tests,
        machine_paths,
        widths,
    ):
        yield from check(pages)


def commands(pages: Pages) -> Iterator[str]:
    """The reference names every command, and no page names one that is not there."""
    yield from _unnamed(pages, "docs/cli.md", "command", [f"## vade {command}" for command in COMMANDS])
    for page, text in pages.items():
        unknown = {name for name in _COMMAND.findall(text) if name not in COMMANDS}
        yield from (f"{page} names `vade {name}`, which is no command" for name in sorted(unknown))


def settings(pages: Pages) -> Iterator[str]:
    """Every key with its variable."""
    keys = {setting.key for setting in SETTINGS}
    wanted = [f"`{name}`" for setting in SETTINGS for name in (setting.key, setting.variable)]
    yield from _unnamed(pages, "docs/settings.md", "setting", wanted)
    named = set(_SETTING.findall(pages.get("docs/settings.md", "")))
    yield from (f"docs/settings.md names {key}, which is no setting" for key in sorted(named - keys))


def error_codes(pages: Pages) -> Iterator[str]:
    """Every code has a row, and every row a code."""
    named = set(_CODE_ROW.findall(pages.get("docs/errors.md", "")))
    codes = {BUG, *(error.code for error in _family(errors.VademecumError))}
    yield from (f"docs/errors.md does not name the error `{code}`" for code in sorted(codes - named))
    yield from (f"docs/errors.md names the error `{code}`, which is none" for code in sorted(named - codes))


def next_steps(pages: Pages) -> Iterator[str]:
    """What an error tells its reader to run, its row names as well."""
    rows = dict(_CODE_ROWS.findall(pages.get("docs/errors.md", "")))
    for error in _family(errors.VademecumError):
        unnamed = set(_COMMAND.findall(error.next_step)) - set(_COMMAND.findall(rows.get(error.code, "")))
        yield from (f"docs/errors.md does not name `vade {name}` for `{error.code}`" for name in sorted(unnamed))


def _family(error: type[errors.VademecumError]) -> Iterator[type[errors.VademecumError]]:
    yield error
    for child in error.__subclasses__():
        yield from _family(child)


def cases(pages: Pages) -> Iterator[str]:
    """Every case that a test cites is told, in one row, and every file beside a case cites it."""
    told = _CASE_ROW.findall(pages.get("docs/cases.md", ""))
    rows, times = dict(told), Counter(case for case, _ in told)
    yield from (f"docs/cases.md tells the case {case} in {count} rows" for case, count in times.items() if count > 1)
    cited = _cited_cases()
    untold = set().union(*cited.values()) - rows.keys()
    yield from (f"docs/cases.md does not tell the case {case}" for case in sorted(untold))
    for case, cell in rows.items():
        files = [file for file, _ in _TEST.findall(cell)]
        if not files:
            yield f"docs/cases.md names no test for {case}"
        yield from (f"{file} does not cite {case}" for file in files if case not in cited.get(file, set()))


@cache
def _cited_cases() -> dict[str, set[str]]:
    files = sorted((ROOT / "tests").rglob("*.py"))
    return {file.relative_to(ROOT).as_posix(): set(_CASE.findall(file.read_text(encoding="utf-8"))) for file in files}


def landing_rules(pages: Pages) -> Iterator[str]:
    """Every rule of the landing check has its line."""
    yield from _unnamed(pages, "docs/security.md", "landing rule", [f"`{rule.__name__.strip('_')}`" for rule in RULES])


def secret_kinds(pages: Pages) -> Iterator[str]:
    """Every kind of token that is known by its shape."""
    kinds = sorted({shape[0] for shape in (*PREFIXED, *INFIXED)})
    yield from _unnamed(pages, "docs/security.md", "kind of secret", [f"`{kind}`" for kind in kinds])


def tables(pages: Pages) -> Iterator[str]:
    """Every table of every database."""
    scripts = sorted((ROOT / "src").rglob("migrations/*.sql"))
    names = [name for script in scripts for name in _TABLE.findall(script.read_text(encoding="utf-8"))]
    yield from _unnamed(pages, "docs/format.md", "table", [f"`{name}`" for name in names])


def decisions(pages: Pages) -> Iterator[str]:
    """Decisions are numbered without a gap."""
    numbers = [int(number) for number in _DECISION.findall(pages.get("docs/decisions.md", ""))]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"docs/decisions.md is numbered {numbers}"


def links(pages: Pages) -> Iterator[str]:
    """Every link inside the project leads to a file, and to a heading in it where it names one."""
    for page, text in pages.items():
        for target, heading in _LINK.findall(_FENCED.sub("", text)):
            file = ((ROOT / page).parent / target).resolve() if target else ROOT / page
            if not file.exists():
                yield f"{page} links to {target}, which is not there"
            elif heading and heading not in _anchors(file):
                yield f"{page} links to #{heading}, which is no heading of {file.name}"


def _anchors(file: Path) -> set[str]:
    headings = _HEADING.findall(_FENCED.sub("", file.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def tests(pages: Pages) -> Iterator[str]:
    """Every test that a page names is there."""
    for page, text in pages.items():
        for file, name in _TEST.findall(text):
            if not (ROOT / file).is_file():
                yield f"{page} names {file}, which is not there"
            elif name and name not in _tests_in(file):
                yield f"{page} names the test {name}, which {file} does not hold"


@cache
def _tests_in(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef))


def machine_paths(pages: Pages) -> Iterator[str]:
    """No line names a folder of the machine that it was written on."""
    for page, text in pages.items():
        yield from (f"{page} names the path {path[0]} of one machine" for path in _MACHINE.finditer(text))


def widths(pages: Pages) -> Iterator[str]:
    """Prose stays readable in a terminal; tables and code are as wide as they are."""
    for page, text in pages.items():
        lines = _FENCED.sub("", text).split("\n")
        wide = [line for line in lines if len(line) > MAX_COLUMNS and not line.startswith("|")]
        yield from (f"{page}: {len(line)} columns: {line[:60]}..." for line in wide)


def _unnamed(pages: Pages, page: str, what: str, wanted: list[str]) -> Iterator[str]:
    text = pages.get(page, "")
    yield from (f"{page} does not name the {what} {name}" for name in wanted if name not in text)


if __name__ == "__main__":
    found = list(problems(read_pages()))
    print("\n".join(found) or "docs: what they name is there, and what is there is named")
    sys.exit(bool(found))
