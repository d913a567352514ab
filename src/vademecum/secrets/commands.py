"""Passwords on command lines: after an option, among the words, piped into a program, or assigned in a store."""

import re
from collections.abc import Container, Iterator, Sequence

from vademecum.secrets import values
from vademecum.secrets.finding import NOTHING, Detector, Finding
from vademecum.secrets.names import meaning_of

__all__ = ["DETECTORS"]

_EXAMPLES = frozenset(("pass", "password", "passwd", "pwd", "pw", "secret", "token", "xxx", "true", "false", "stdin"))
_QUOTE = r"""(?:\\{0,15}["'])?"""
_VALUE = rf"""{_QUOTE}(?P<value>[^\s"'\\$|<>-][^\s"'\\|]{{2,256}})"""
_SURE = _VALUE.replace("(?P<value>", r"(?=[^\s\"']{0,64}?[0-9])(?P<value>")
"""Where the word that stands there might be one of a sentence."""
_BLANK = r"(?:[ \t]|\\\r?\n|\\\\n)"
"""Also to the next line of a command that goes on there."""
_REACH = 400
_END = re.compile(r"(?<!\\)\r?\n")

_LOGIN = rf"{_QUOTE}[^\s:\"'\\,%]{{0,128}}"
_USER_OPTION = (
    rf"{_BLANK}(?:-[A-Za-z]{{0,6}}u|--(?:proxy-)?user|-U|-a|--auth)[ \t=]{{0,4}}{_LOGIN}:(?P<value>[^\s\"'\\]{{1,256}})"
)
_GLUED = rf"{_BLANK}-p{_VALUE}"
_SHORT = rf"{_BLANK}-[pPa][ \t]{{0,2}}{_VALUE}"
_APART = rf"{_BLANK}-[pP][ \t]{{1,4}}{_VALUE}"
_WORD = rf"{_BLANK}{{1,8}}\S{{1,128}}{_BLANK}{{1,8}}{_SURE}"

#: How a command line begins -> where in the rest of it the value stands.
_COMMANDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("curl ", "http ", "https ", "xh ", "wget "), _USER_OPTION),
    (("mysql ", "mysqldump ", "mysqladmin ", "mariadb ", "mariadb-dump ", "7z "), _GLUED),
    (("sshpass ", "docker login", "podman login", "buildah login", "redis-cli "), _SHORT),
    (("mongosh ", "mongo ", "mongodump ", "mongorestore ", "cqlsh ", "snowsql ", "sqlcmd ", "bcp "), _APART),
    (("isql ", "mosquitto_pub ", "mosquitto_sub ", "ncftpput ", "ncftpget ", "rdesktop ", "useradd "), _APART),
    (("auth login ", "oc login", "cf login", "az login", "usermod "), _APART),
    (("zip ",), rf"{_BLANK}-P[ \t]{{0,2}}{_VALUE}"),
    (
        ("ldapsearch ", "ldapmodify ", "ldapadd ", "add-generic-password", "add-internet-password"),
        rf"{_BLANK}-w[ \t]{{1,4}}{_VALUE}",
    ),
    (("ssh-keygen ",), rf"{_BLANK}-[NP][ \t]{{1,4}}{_VALUE}"),
    (("openssl ",), rf"{_BLANK}(?:-pass(?:in|out)?[ \t]{{1,4}}{_QUOTE}pass:|-k[ \t]{{1,2}}){_VALUE}"),
    (("sqlplus ",), r"""[ \t]{1,4}[\w$\#]{1,64}/(?P<value>[^\s@"'\\]{3,256})"""),
    (("smbclient ", "smbmap ", "rpcclient "), rf"{_BLANK}-U[ \t]{{0,4}}{_QUOTE}[^\s%\"']{{1,128}}%{_VALUE}"),
    (("lftp ",), rf"{_BLANK}-u[ \t]{{0,4}}{_QUOTE}[^\s,\"']{{1,128}},{_VALUE}"),
    (("xfreerdp ", "wfreerdp ", "cmdkey "), rf"{_BLANK}/p(?:ass)?:{_VALUE}"),
    (("htpasswd ",), rf"{_BLANK}-(?=\w{{0,6}}b)(?!\w{{0,6}}n)\w{{1,7}}{_BLANK}+[^\s-]\S{{0,128}}{_WORD}"),
    (("htpasswd ",), rf"{_BLANK}-(?=\w{{0,6}}b)(?=\w{{0,6}}n)\w{{2,7}}{_WORD}"),
    (("gh secret set ",), rf"{_BLANK}(?:--body|-b)[ \t=]{{0,2}}{_VALUE}"),
    (("az keyvault secret set",), rf"{_BLANK}--value[ \t=]{{1,2}}{_VALUE}"),
    (("ssm put-parameter",), rf"(?=.{{0,300}}SecureString).{{0,300}}?{_BLANK}--value[ \t=]{{1,2}}{_VALUE}"),
    (("net user ", "rabbitmqctl add_user", "rabbitmqctl change_password", "wpa_passphrase", "bw login"), _WORD),
    (("net use ",), rf"{_BLANK}/user:\S{{1,128}}[ \t]{{1,4}}{_VALUE}"),
    (("net use ",), rf"""\\\S{{1,128}}[ \t]{{1,4}}(?!/){_VALUE}["']?[ \t]{{1,4}}/user:"""),
    (("vault login", "ansible-vault encrypt_string"), rf"{_BLANK}{{1,8}}{_SURE}"),
    (("ConvertTo-SecureString",), rf"[ \t]{{1,4}}(?:-String[ \t]{{1,4}})?{_SURE}"),
)
#: Programs that read a secret from what is piped into them, or given to them with `<<<` or `<<`.
_READERS = (
    r"(?:--password-stdin|--with-token|--stdin|sudo[ ]-S|chpasswd|(?<![\w/.-])passwd|smbpasswd|kinit"
    r"|cryptsetup|kubeseal|secret-tool|read[ ]-\w{0,3}s|(?<![\w/.-])pass[ ]insert|vault[ ]login"
    r"|(?:docker|podman|gh|gcloud|wrangler|vercel|fly|flyctl|supabase)[ ](?:secrets?|env)[ ]"
    r"(?:set|create|put|add|versions))"
)
_ACCOUNT = r"(?:[a-z_][\w.-]{0,31}:)?"
_READ = r"""(?P<value>[^\s"'\\$|<>:-][^\s"'\\|]{2,256}(?:\\n[^\s"'\\|]{3,256})?)"""
_PIPED = re.compile(
    rf"""(?:echo|printf)[ \t]{{1,2}}(?:-\w{{1,3}}[ \t]{{1,2}})?(?:['"]?%s(?:\\n)?['"]?[ \t]{{1,2}})?{_QUOTE}"""
    rf"""{_ACCOUNT}{_READ}(?:\\n)?["']?[ \t]{{0,4}}\|[^|\n]{{0,200}}{_READERS}"""
)
_GIVEN = re.compile(rf"{_READERS}[^\n|;&]{{0,120}}\Z")
_HERE = re.compile(
    rf"""<<(?:<[ \t]{{0,2}}{_QUOTE}|-?[ \t]?['"]?\w{{1,20}}['"]?[^\n]{{0,80}}\n[ \t]{{0,20}}){_ACCOUNT}{_READ}"""
)
_SQL = re.compile(
    r"""(?:IDENTIFIED[ ]BY|identified[ ]by|WITH[ ]PASSWORD|with[ ]password)(?:[ ]PASSWORD)?[ \t]{1,4}
    (?:\\{0,15}['"])(?P<value>[^'"\n\\]{3,256})""",
    re.VERBOSE,
)
#: Name and value stand beside each other, with nothing between them.
_SETTING = re.compile(rf"(?:set[ ]-\w{{0,4}}x\w{{0,4}}|setx|ENV)[ \t]{{1,4}}(?P<name>\w{{2,60}})[ \t]{{1,4}}{_VALUE}")
_NETRC = re.compile(r"login\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(?P<value>[^\s\"'\\]{3,256})")
#: A store of secrets: what is put into it is one, whatever its name.
_STORES = ("create secret generic", "kv put ", "secrets set ", "vault write ")
_STORED = re.compile(rf"{_BLANK}(?:--from-literal[ =])?{_QUOTE}(?P<name>\w[\w.\-]{{0,80}})={_VALUE}")


def _command(literal: str, expression: str) -> Detector:
    """A detector for the value in the rest of the command that begins at the literal."""
    compiled = re.compile(expression)
    length = len(literal.rstrip())

    def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
        del seams
        return list(_findings(compiled.search(text, start + length, _end(text, start))))

    return detect


def _whole(expression: re.Pattern[str]) -> Detector:
    """A detector for an expression that begins with the literal."""

    def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
        del seams
        return list(_findings(expression.match(text, start, start + _REACH)))

    return detect


def _end(text: str, start: int) -> int:
    """Where the command ends; it goes on behind a backslash at the end of its line."""
    found = _END.search(text, start, start + _REACH)
    return found.start() if found else min(len(text), start + _REACH)


def _findings(found: re.Match[str] | None) -> Iterator[Finding]:
    if found and found["value"] not in _EXAMPLES and not values.is_placeholder(found["value"]):
        yield Finding(kind="password", start=found.start("value"), end=found.end("value"))


def _here(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """What is given to a program that reads a secret: `<<< V`, or the first line of a here document."""
    del seams
    if text[start - 1 : start] not in (" ", "\t", '"', "'"):
        return NOTHING
    line = text.rfind("\n", max(0, start - _REACH), start) + 1
    if not _GIVEN.search(text[max(line, start - _REACH) : start]):
        return NOTHING
    return list(_findings(_HERE.match(text, start)))


def _setting(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """`set -gx NAME VALUE`, `setx NAME VALUE`, `ENV NAME VALUE`, where the name means a secret."""
    del seams
    found = _SETTING.match(text, start)
    if found is None or meaning_of(found["name"]) is None or not values.mixed(found["value"], classes=2):
        return NOTHING
    return list(_findings(found)) if not values.is_path(found["value"]) else NOTHING


def _netrc(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """`login NAME password VALUE`, as a .netrc file writes it."""
    del seams
    found = _NETRC.match(text, start)
    return NOTHING if found is None or values.is_prose(found["value"]) else list(_findings(found))


def _stored(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """Each `NAME=VALUE` that is put into a store of secrets; files and plain words are none."""
    del seams
    pairs = _STORED.finditer(text, start, _end(text, start))
    return [
        finding
        for pair in pairs
        if values.mixed(pair["value"], classes=2) and not values.is_path(pair["value"].lstrip("@"))
        for finding in _findings(pair)
    ]


DETECTORS: tuple[tuple[str, Detector], ...] = (
    *((literal, _command(literal, expression)) for literals, expression in _COMMANDS for literal in literals),
    *((literal, _whole(_PIPED)) for literal in ("echo ", "printf ")),
    ("<<", _here),
    *((literal, _whole(_SQL)) for literal in ("IDENTIFIED BY", "identified by", "WITH PASSWORD", "with password")),
    *((literal, _setting) for literal in ("set -", "setx ", "ENV ")),
    *((literal, _stored) for literal in _STORES),
    ("login ", _netrc),
)
