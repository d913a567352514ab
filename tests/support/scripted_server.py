"""A stand-in for the server of our plugins: answers from a script, keeps what it was asked.

    python scripted_server.py LOG SCRIPT

`LOG`: each message that came in, one line of JSON. `SCRIPT`: JSON, the answer by method; a list is gone through, its
last entry stays. Special answers: `{"hang": true}`, `{"die": true}`, `{"error": {...}}`, `{"print": TEXT, ...}`: print
that line before, `{"after": SECONDS, ...}`: rest so long before, `{"half": true}`: half a line, and nothing any more.
"""

import json
import os
import sys
import time
from pathlib import Path


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def main():
    with Path(sys.argv[1]).open("a", encoding="utf-8") as log:
        serve(log)


def serve(log):
    script = {"tools/list": {"tools": []}, **json.loads(Path(sys.argv[2]).read_text())}
    log.write(json.dumps({"started": os.getpid(), "home": os.environ.get("VADEMECUM_HOME")}) + "\n")
    for line in sys.stdin:
        log.write(line)
        log.flush()
        message = json.loads(line)
        if "id" not in message:
            continue
        answer = script.get(message["method"], {})
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        answer = dict(answer)
        if answer.pop("die", False):
            os._exit(3)
        if answer.pop("hang", False):
            continue
        if answer.pop("half", False):
            sys.stdout.write('{"jsonrpc": "2.0", "id": ')
            sys.stdout.flush()
            continue
        time.sleep(answer.pop("after", 0))
        if noise := answer.pop("print", None):
            sys.stdout.write(noise + "\n")
        send({"id": message["id"], **(answer if "error" in answer else {"result": answer})})
    log.write('{"ended": true}\n')


main()
