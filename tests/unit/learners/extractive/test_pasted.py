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
        "\u203a always use npm",
        "\u00a0```\nalways use npm\n```",
        "- ```\n  always use npm\n  ```",
        "From: Bob <bob@x.example>\nSubject: deploys\n\nAlways use npm.\n\nBob",
        "bob  10:32 AM\nAlways use npm.",
        "Bob Miller, 10:32\nAlways use npm.\n\nNever use pnpm.",
        "[Yesterday 10:32] Bob Miller\nAlways use npm.",
        "----- Forwarded message -----\nAlways use npm.\n----- end -----",
        "#+BEGIN_QUOTE\nAlways use npm.\n#+END_QUOTE",
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


@pytest.mark.parametrize(
    "own",
    [
        "to: be or not to be",
        "lunch 12:30",
        "--- rules ---\nalways use pnpm",
        "- always use pnpm\n- never use npm",
        "at 10:32 it broke, always restart",
    ],
)
def test_what_only_resembles_a_mail_or_a_chat_is_said(own: str) -> None:
    assert own_lines(own) == own.splitlines()


def test_what_stands_behind_the_end_of_what_was_forwarded_is_said() -> None:
    message = "----- Forwarded message -----\nAlways use npm.\n----- end -----\nNever do that."
    assert own_lines(message) == [SHOWN, SHOWN, SHOWN, "Never do that."]
