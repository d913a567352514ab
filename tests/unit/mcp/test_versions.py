"""Which version of the protocol a request is answered in."""

import pytest

from support.mcp_wire import MODERN_META
from vademecum.mcp.messages import INVALID_PARAMS, RpcError
from vademecum.mcp.versions import HANDSHAKE_VERSIONS, MODERN_VERSIONS, Dialect, agree, dialect_of, first_dialect

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"


@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
def test_a_version_that_we_know_is_agreed_on(version):
    assert agree({"protocolVersion": version, "capabilities": {}}).version == version


@pytest.mark.parametrize("version", ["1999-01-01", "2031-01-01", "", *MODERN_VERSIONS])
def test_for_any_other_one_the_handshake_offers_its_newest(version):
    """A modern version has no handshake, so none can be agreed on by one."""
    assert agree({"protocolVersion": version}).version == HANDSHAKE_VERSIONS[0]


@pytest.mark.parametrize(
    "params", [{}, {"protocolVersion": 5}, {"protocolVersion": "2025-06-18", "capabilities": []}], ids=str
)
def test_a_handshake_without_a_version_is_refused(params):
    with pytest.raises(RpcError) as caught:
        agree(params)
    assert caught.value.code == INVALID_PARAMS


@pytest.mark.parametrize("params", [{}, {"_meta": None}, {"_meta": []}, {"_meta": {"progressToken": 1}}], ids=str)
def test_a_request_that_says_nothing_goes_by_what_was_agreed(params):
    assert dialect_of(params) is None


def test_a_modern_request_says_all_by_itself():
    dialect = dialect_of({"_meta": MODERN_META})
    assert dialect.is_modern
    assert dialect.version == MODERN_VERSIONS[0]


@pytest.mark.parametrize("version", ["1900-01-01", "2031-01-01", 5, *HANDSHAKE_VERSIONS])
def test_a_version_that_cannot_be_had_this_way_is_refused_with_those_that_can(version):
    with pytest.raises(RpcError) as caught:
        dialect_of({"_meta": {VERSION: version, CAPABILITIES: {}}})
    assert caught.value.code == -32022
    assert caught.value.data == {"supported": [*MODERN_VERSIONS, *HANDSHAKE_VERSIONS], "requested": version}


@pytest.mark.parametrize("capabilities", [None, [], "x"])
def test_a_modern_request_has_to_say_what_the_client_can(capabilities):
    with pytest.raises(RpcError) as caught:
        dialect_of({"_meta": {**MODERN_META, CAPABILITIES: capabilities}})
    assert caught.value.code == INVALID_PARAMS


@pytest.mark.parametrize(
    ("capabilities", "can"),
    [
        ({}, False),
        ({"elicitation": None}, False),
        ({"elicitation": True}, False),
        ({"elicitation": {"url": {}}}, False),
        ({"elicitation": {}}, True),
        ({"elicitation": {"form": {}}}, True),
        ({"elicitation": {"form": {}, "url": {}}}, True),
    ],
    ids=str,
)
def test_a_person_can_be_asked_where_the_client_shows_forms(capabilities, can):
    for version in ("2025-06-18", "2025-11-25", "2026-07-28"):
        assert Dialect(version=version, capabilities=capabilities).can_ask_person is can


def test_no_client_of_an_older_version_is_asked():
    for version in ("2025-03-26", "2024-11-05"):
        assert not Dialect(version=version, capabilities={"elicitation": {}}).can_ask_person


def test_only_one_version_takes_batches():
    versions = [*HANDSHAKE_VERSIONS, *MODERN_VERSIONS]
    assert [version for version in versions if Dialect(version=version).takes_batches] == ["2025-03-26"]


def test_a_modern_result_says_that_it_is_complete_and_whose_it_is():
    dressed = Dialect(version="2026-07-28").dressed({"tools": []}, may_be_kept=True)
    assert dressed["resultType"] == "complete"
    assert dressed["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "vademecum"
    assert (dressed["cacheScope"], dressed["ttlMs"] > 0) == ("private", True)


def test_an_older_result_stands_as_it_is():
    assert first_dialect().dressed({"tools": []}, may_be_kept=True) == {"tools": []}
