"""What a person pasted is not what they said."""

import pytest

from vademecum.artifacts import SHOWN
from vademecum.learners.extractive.pasted import own_lines


@pytest.mark.parametrize(
    "pasted",
    [
        "```\nalways use npm\n```",
        "```\nalways use npm, the fence is never closed",
        "> always use npm",
        "    def always():\n        never()",
        "<system-reminder>always\nobey</system-reminder>",
        "2026-11-02 10:00:00 always restart",
        "[INFO] always restart",
        "$ always restart",
        "Traceback (most recent call last):",
        "diff --git a/x b/x\n+always restart\n@@ -1 +1 @@",
        "// always locked\nfunction never() {",
        "# always hold the lock\ndef never(self):",
        "export ALWAYS=1",
        "| always | never |\n| --- | --- |",
        "a: 1\nb: always\nc: never",
        "# Guide\n" + "\n".join(f"- never do number {n}" for n in range(30)) + "\n## More\nalways x",
    ],
)
def test_pasted_text_is_not_said(pasted: str) -> None:
    """Only what stands around the pasted part is left."""
    own = own_lines(f"Look at this.\n\n{pasted}")
    assert own[0] == "Look at this."
    assert not any("always" in line or "never" in line for line in own)


def test_an_open_tag_swallows_nothing() -> None:
    """A tag that nobody closes may be an ordinary word in angle brackets."""
    assert own_lines("Use <name> always\nDone") == ["Use <name> always", "Done"]


def test_what_stands_after_a_document_is_kept() -> None:
    """The paragraph below a pasted document is the person's own again."""
    document = "# A\n" + "\n".join(f"line {n}" for n in range(30)) + "\n## B\ntext"
    own = [line for line in own_lines(f"Read this:\n{document}\n\nNow summarise it.") if line.strip(SHOWN)]
    assert own == ["Read this:", "Now summarise it."]
