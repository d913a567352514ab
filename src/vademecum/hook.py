"""The hook process: what an agent's program starts at its events, and may never wait for.

    python -I -S hook.py HOST EVENT [--home DIR]        stdin: the JSON of the host; stdout: its answer, or nothing

HOST is one of `HOSTS`, EVENT one of `EVENTS`. It prints the context of a session, keeps the bytes that it printed (a
pin), writes one line of ids for the learner, and starts that where it is due. Whatever goes wrong, the host goes on:
nothing is printed, the exit code is 0, and `<home>/runtime/hook.log` says what it was.
"""
# pyright: basic
# (strict types would need `typing`, whose import costs a hook more than its work)

import os
import sys

__all__ = ["EVENTS", "HOSTS", "MOST_TOKENS", "OWN_WORK", "run"]

EVENTS = ("session-start", "prompt", "pre-compact", "post-compact", "stop", "session-end")
_NAMES = {"session-start": "SessionStart", "prompt": "UserPromptSubmit"}
#: Host -> the events that take a text in, and how the host calls them in its answer.
HOSTS = {
    "claude-code": _NAMES,
    "codex": _NAMES,
    # Gemini CLI 0.61 puts what is said at a start before the first prompt, and leaves such a prompt out of a session
    # that is gone on with; after `/clear` it passes the text over. What is said at a prompt stands behind it and stays.
    "gemini": {"prompt": "BeforeAgent"},
}
#: Claude Code 2.1 takes 10,000 characters of one hook; of a longer text the model sees the first 2,000.
MOST_TOKENS = {"claude-code": 2400}

#: Where a host works on memories of its own: (variable, default) of its folder, and how those in it begin.
#: Codex 0.171 consolidates there, runs hooks as for a person, and keeps no transcript.
OWN_WORK = {"codex": ("CODEX_HOME", "~/.codex", "memories")}


def run() -> None:
    """The whole process: a host sees the answer, or nothing at all."""
    # An agent that learns for us is given nothing, and nothing is learned from it.
    if not os.environ.get("VADEMECUM_LEARNER"):
        # The standard library first: our rooms bear names that it has as well. `-S` leaves no other way to them.
        sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        try:
            from vademecum.bare.process import answer_event

            answer_event(sys.argv[1:], HOSTS, MOST_TOKENS, OWN_WORK)
        except BaseException:  # noqa: BLE001, S110  an installation that is torn: the host goes on
            pass
    os._exit(0)  # nothing is left to wait for, neither a thread nor what Python does at its end


if __name__ == "__main__":
    run()
