"""What only opencode can tell: which of our tools it sees. No model is asked.

Its own server is started for a moment, on loopback and behind a password that nobody else knows, in an empty folder.
Source: `opencode serve` of opencode 1.18.
"""

import json
import re
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener

from vademecum.findings import Finding, fine, note, problem
from vademecum.hosts.plain import words_of
from vademecum.hosts.protocol import Places
from vademecum.hosts.running import Deadline, ended, start
from vademecum.toolbox import TOOLS

__all__ = ["examine"]

_NAME = "opencode"
#: It starts in five seconds; the rest is for slow machines. Offline, its very first start takes minutes.
_SECONDS = 30.0
_LISTENING = re.compile(r"listening on (http://127\.0\.0\.1:\d+)")


def examine(places: Places) -> Iterator[Finding]:
    """Say whether the tools have arrived."""
    program = places.program(_NAME)
    if program is None:
        yield note(_NAME, "`opencode` is not on the PATH, so it cannot be asked which tools it sees")
        return
    try:
        seen = set(_tools_of(program, places))
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        yield note(_NAME, f"opencode could not be asked which tools it sees: {error}")
        return
    ours = seen & {tool.name for tool in TOOLS}
    if ours:
        yield fine(_NAME, f"opencode sees {len(ours)} memory tools")
    else:
        yield problem(
            _NAME, "opencode sees none of the memory tools", "Run `vade install opencode`, then look into its log."
        )


def _tools_of(program: str, places: Places) -> list[str]:
    password = token_urlsafe()
    with TemporaryDirectory() as folder:
        words = [program, "serve", "--hostname", "127.0.0.1", "--port", "0"]
        process = start(words, {**places.environ, "OPENCODE_SERVER_PASSWORD": password}, folder)
        with ended(process), Deadline(process, _SECONDS):
            assert process.stdout is not None
            found = next(filter(None, map(_LISTENING.search, process.stdout)), None)
            if found is None:
                raise ValueError("it did not start in time")
            try:
                return _asked(f"{found[1]}/experimental/tool/ids?directory={quote(folder)}", password)
            finally:
                process.terminate()  # it serves until it is told to end


def _asked(url: str, password: str) -> list[str]:
    login = b64encode(f"opencode:{password}".encode()).decode()
    request = Request(url, headers={"Authorization": f"Basic {login}"})  # noqa: S310  loopback, as matched above
    # What the person set as a proxy is not for their own machine.
    with build_opener(ProxyHandler({})).open(request, timeout=_SECONDS) as answer:
        return list(words_of(json.loads(answer.read())))
