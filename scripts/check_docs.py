"""Part of `make docs`: every command, setting and error code is named where users look for it; links lead somewhere."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from vademecum import errors
from vademecum.cli.app import COMMANDS
from vademecum.config import SETTINGS

ROOT = Path(__file__).resolve().parent.parent
PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)")


def problems() -> Iterator[str]:
    """One sentence per fault."""
    text = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
    for command in COMMANDS:
        if f"vade {command}" not in text["docs/cli.md"]:
            yield f"docs/cli.md does not name `vade {command}`"
    for setting in SETTINGS:
        if setting.key not in text.get("docs/settings.md", ""):
            yield f"docs/settings.md does not name {setting.key}"
    for code in sorted(_codes(errors.VademecumError)):
        if f"`{code}`" not in text.get("docs/errors.md", ""):
            yield f"docs/errors.md does not name the error `{code}`"
    for page, content in text.items():
        for target in LINK.findall(content):
            if not ((ROOT / page).parent / target).exists():
                yield f"{page} links to {target}, which is not there"


def _codes(family: type[errors.VademecumError]) -> set[str]:
    codes = {family.code}
    for child in family.__subclasses__():
        codes |= _codes(child)
    return codes


if __name__ == "__main__":
    found = list(problems())
    print("\n".join(found) or "docs: every command, setting and error is named, every link leads somewhere")
    sys.exit(bool(found))
