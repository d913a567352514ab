"""Masking keeps the structure around a secret."""

import json

import pytest
import yaml

from vademecum.secrets import mask, masked, scan

PASSWORD = "hunter2" + "Secret9"


@pytest.mark.parametrize(
    "value",
    [
        PASSWORD,
        'with "quotes" ' + PASSWORD,
        123456,
        -1.5,
        True,
        {"a": [1, PASSWORD]},
        [PASSWORD, {"b": "]}"}],
        "日本" + PASSWORD,
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_json_stays_parseable_and_keeps_its_other_fields(value: object, indent: int | None):
    """codex-A18, core-R51: strings, numbers, booleans and nested values under a secret name become one string."""
    text = json.dumps({"user": "app", "password": value, "port": 5432}, indent=indent, ensure_ascii=False)
    after = json.loads(mask(text))
    assert after == {"user": "app", "password": "[secret:password]", "port": 5432}


@pytest.mark.parametrize("value", [PASSWORD, 123456, {"a": PASSWORD}])
def test_json_inside_json_inside_json_stays_parseable(value: object):
    inner = json.dumps({"password": value, "n": 1})
    text = json.dumps({"a": json.dumps({"b": inner}), "c": 2})
    after = json.loads(mask(text))
    assert json.loads(json.loads(after["a"])["b"]) == {"password": "[secret:password]", "n": 1}
    assert after["c"] == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("password: abc def # note", "password: [secret:password] # note"),
        (f"password: {PASSWORD} # note", "password: [secret:password] # note"),
        (f"{{password: {PASSWORD}, user: app}}", "{password: [secret:password], user: app}"),
        (f"export API_KEY={PASSWORD} && make run", "export API_KEY=[secret:api-key] && make run"),
        (f"tool --token={PASSWORD} --quiet", "tool --token=[secret:token] --quiet"),
        (f"Server=db;Password={PASSWORD};Encrypt=true", "Server=db;Password=[secret:password];Encrypt=true"),
        (f"https://x.org/?token={PASSWORD}&page=2", "https://x.org/?token=[secret:token]&page=2"),
        (f"postgres://app:{PASSWORD}@db:5432/shop", "postgres://app:[secret:url-credentials]@db:5432/shop"),
        (
            f'POST /login body={{"password": "{PASSWORD}", "n": 1}}',
            'POST /login body={"password": "[secret:password]", "n": 1}',
        ),
        (f'{{"note": "password={PASSWORD}", "n": 1}}', '{"note": "password=[secret:password]", "n": 1}'),
    ],
)
def test_only_the_value_is_replaced(before: str, after: str):
    """codex-A18"""
    assert mask(before) == after


def test_an_apostrophe_in_prose_opens_no_string():
    """codex-A18"""
    text = f"it doesn't matter: password: {PASSWORD} and the rest isn't gone"
    assert mask(text) == "it doesn't matter: password: [secret:password] and the rest isn't gone"


def test_a_value_on_the_next_line_is_found():
    """codex-N29: white space with one line break, then eight characters or more."""
    assert mask(f"password:\n  {PASSWORD}\nuser: x") == "password:\n  [secret:password]\nuser: x"


@pytest.mark.parametrize("value", [PASSWORD, "aB3" + "xY9qZ"])
@pytest.mark.parametrize("line_break", ["\n", "\n  ", "\r\n    "])
def test_a_value_on_the_next_line_is_found_before_other_words(value: str, line_break: str):
    """codex-N29: a value that is no word of a sentence needs no line of its own."""
    text = f"always use password:{line_break}{value} for the tests"
    assert mask(text) == f"always use password:{line_break}[secret:password] for the tests"


@pytest.mark.parametrize("words", ["密码是", "密码：", "das Passwort ist", "the password is"])
@pytest.mark.parametrize("quote", ["'", '"', "`"])
def test_a_quote_behind_a_value_in_a_sentence_stays(words: str, quote: str):
    text = f"make test ARG={quote}{words} {PASSWORD}{quote} && echo x"
    assert mask(text) == f"make test ARG={quote}{words} [secret:password]{quote} && echo x"


@pytest.mark.parametrize(
    "text", ["password:\n  user: app\n", "password:\nuser: app\n", "password:\n  abc\n", "secret:\n\n\n  " + PASSWORD]
)
def test_a_nested_key_or_a_short_or_distant_word_on_the_next_line_stays(text: str):
    """codex-A18, codex-N29, the other side."""
    assert mask(text) == text


def test_yaml_stays_parseable():
    """codex-A18"""
    text = f"db:\n  password: '{PASSWORD}'\n  port: 5432\nflow: {{token: \"{PASSWORD}\", n: 1}}\n"
    after = yaml.safe_load(mask(text))
    assert after == {"db": {"password": "[secret:password]", "port": 5432}, "flow": {"token": "[secret:token]", "n": 1}}


def test_a_key_that_is_cut_off_is_masked_to_the_end():
    body = "MIIEvQ" + "IBADANBgkqhkiG9w0BAQEFAASCBKcw" * 2
    assert mask(f"a\n-----BEGIN PRIVATE KEY-----\n{body}\n{body[:20]}") == "a\n[secret:private-key]"
    assert mask(f"{body}\n{body}\n-----END RSA PRIVATE KEY-----\nb") == "[secret:private-key]\nb"


def test_findings_hold_places_and_no_text():
    text = f"password={PASSWORD}"
    (finding,) = scan(text)
    assert (finding.kind, text[finding.start : finding.end]) == ("password", PASSWORD)
    assert PASSWORD not in repr(finding)


def test_masked_counts_each_kind():
    _, counts = masked(f"password={PASSWORD} token={PASSWORD}\nDB_PASSWORD={PASSWORD}")
    assert counts == {"password": 2, "token": 1}


@pytest.mark.parametrize("text", ["", "\ud800", f"\ud83d password={PASSWORD}", "\x00" * 9, "\U000e0041"])
def test_odd_texts_are_read(text: str):
    assert PASSWORD not in mask(text)
