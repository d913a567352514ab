"""Every value of a Kubernetes `Secret` goes, whatever its name; of other manifests none does for that."""

import base64
import json

import pytest

from vademecum.secrets import mask

VALUE = "correct" + "horse"
ENCODED = base64.b64encode(VALUE.encode()).decode()


@pytest.mark.parametrize(
    "text",
    [
        "kind: Secret\nmetadata:\n  name: db\ndata:\n  user: {}\ntype: Opaque\n",
        "apiVersion: v1\ndata:\n  user: {}\nkind: Secret\nmetadata:\n  name: db\n",
        "kind: Secret\nstringData:\n  user: {}\n",
        'kind: Secret\nstringData:\n  "user": "{}"\n',
        "kind: Secret\nstringData:\n  app.yaml: |\n    mode: {}\ntype: Opaque\n",
        "   1→kind: Secret\n   2→stringData:\n   3→  user: {}\n",
        "+kind: Secret\n+stringData:\n+  user: {}\n",
    ],
)
def test_the_values_go_and_the_rest_stays(text: str):
    masked = mask(text.format(ENCODED))
    assert ENCODED not in masked
    assert masked.replace("[secret:secret]", ENCODED).splitlines()[-1] == text.format(ENCODED).splitlines()[-1]


def test_as_json_it_stays_parseable():
    manifest = {"kind": "Secret", "data": {"user": ENCODED}, "metadata": {"name": "db"}}
    assert json.loads(mask(json.dumps(manifest))) == manifest | {"data": {"user": "[secret:secret]"}}


@pytest.mark.parametrize(
    "text",
    [
        f"kind: ConfigMap\ndata:\n  user: {ENCODED}\n",
        f"kind: ConfigMap\ndata:\n  user: {ENCODED}\n---\nkind: Secret\nmetadata:\n  name: db\n",
        f"kind: Secret\nmetadata:\n  name: db\n---\nkind: ConfigMap\ndata:\n  user: {ENCODED}\n",
        "kind: Secret\nstringData:\n  user: ${USER}\n",
        f"the data: {ENCODED} of a kind: Secret\n",
    ],
)
def test_what_belongs_to_no_secret_stays(text: str):
    assert mask(text) == text
