"""A secret that a list or an object parts from its name goes; what only stands beside such a name stays."""

import json

import pytest

from vademecum.secrets import mask

_VALUE = "Xk9mQ2vL7pR4tZ" + "8wB3nC6y"

_SECRET = (
    *('["--token","V"]', 'args = ["--api-key", "V"]', "['--client-secret', 'V']", '["-token" , "V"]'),
    *('["-y", "x", "--access-token", "V"]', '("--token", "V")', '["--auth", "V"]', '["--token", b"V"]'),
    *('"args": [\n  "--token",\n  "V"\n]', '[\r\n "--token",\r\n "V"\r\n]', '"--token", # mine\n  "V",'),
    *('"--token", // mine\n  "V",', "[--token, V]", '["--secret", "V"]', '["--token=V"]', '["env", "TOKEN=V"]'),
    *('["-e", "API_KEY=V"]', '["--header", "X-Api-Key: V"]', '["-p", "V"]', '["curl", "-u", "bob:V"]'),
    *("- --token\n- V\n", '- "--token"\n- "V"\n', "args:\n  - --token # mine\n  - V\n", "- --session-token\n- V"),
    *("(--token V)", '("--token" "V")', "(\n  --token\n  V\n)", "run --token \\\n   V\n", 'run "--token" V\n'),
    *('{"a":"[\\"--token\\",\\"V\\"]"}', '{"a":"x\\n  \\"--token\\",\\n  \\"V\\"\\n"}'),
    *('+  "--token",\n+  "V"', '-  "--token",\n-  "V"', '   2→  "--token",\n   3→  "V"', "+- --token\n+- V"),
    *('["X-Api-Key", "V"]', 'setdefault("API_KEY", "V")'),
    *('{"name":"API_KEY","value":"V"}', '{"value":"V","name":"API_KEY"}', "- value: V\n  name: API_KEY\n"),
    *('{"value": "V",\n "secret": true,\n "name": "API_KEY"}', "- name: API_KEY\n  required: true\n  value: V\n"),
    *('<add value="V" key="ApiKey"/>', '{"arg": "--token", "value": "V"}'),
)
_WORDS = (
    *('["--password", "V"]', "- --password\n- V9x\n", "['--passphrase', 'V horse battery staple']"),
    *('["--db-password",\n "V!2x"]',),
)
_STAYS = (
    *('add_argument("--token", "-t")', 'option("--password", "password", envvar="X")', '["--token", "$TOKEN"]'),
    *('option("--token", "The token to use for access")', '["--token", "--password", "--api-key"]'),
    *('["--secret", "id=npm2,src=.npmrc"]', '["password", "token", "secret_key_base64"]', '["--max-tokens", "4096"]'),
    *('["--token-file", "/run/secrets/a1"]', "- --token\n- --password\n", "--token\n    the token of the user\n"),
    *('["-p", "8080:80"]', '["-u", "1000:1000"]', '["-p", "my-project-12345678"]', '["--token", "${env:TOKEN1}"]'),
    *('["--api-key", "env:API_KEY_2"]', '("api_key", "client_secret_version_2")', "`--token`, `-t`"),
    *("--token, --password, v2.1.0 only", 'getenv("API_KEY", "default")', '["--token", token1]'),
    *('add_argument("--db-password", "pw_dest2")', 'option("--password", "passwd_dest")', '"password", "a1b2c3"'),
    "- name: FOO\n  value: abc123xyz789\n- name: API_KEY\n  valueFrom:\n    secretKeyRef: x\n",
    '{"name":"token","type":"string"},{"value":"abc123def456ghi789"}',
)


@pytest.mark.parametrize("text", _SECRET)
def test_the_secret_goes_and_its_name_stays(text: str):
    masked = mask(text.replace("V", _VALUE))
    assert _VALUE not in masked
    assert "[secret:" in masked
    assert len(masked) > len(text) - 1


@pytest.mark.parametrize("text", _WORDS)
def test_a_password_of_plain_words_goes_where_only_an_argument_can_stand(text: str):
    assert "hunter" not in mask(text.replace("V", "hunter"))


@pytest.mark.parametrize("text", _STAYS)
def test_what_is_no_secret_beside_such_a_name_stays(text: str):
    assert mask(text) == text


@pytest.mark.parametrize("indent", [None, 2])
def test_settings_of_a_server_stay_parseable_and_keep_what_is_no_secret(indent: int | None):
    server = {"command": "npx", "args": ["-y", "server", "--access-token", _VALUE, "--port", "8080"]}
    masked = json.loads(mask(json.dumps({"mcpServers": {"x": server}}, indent=indent)))
    arguments = masked["mcpServers"]["x"]["args"]
    assert arguments == ["-y", "server", "--access-token", "[secret:token]", "--port", "8080"]
