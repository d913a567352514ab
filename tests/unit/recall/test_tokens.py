import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.recall.tokens import fts_expression, index_text, query_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parseTree", "parse Tree"),
        ("HTTPServer", "HTTP Server"),
        ("parseHTTPResponse2", "parse HTTP Response 2"),
        ("see src/fooBar.py", "foo Bar"),
        ("snake_case kebab-case src/app/main.py", ""),
        ("The README of SQLite and API", "SQ Lite"),
        ("plain words", ""),
        ("部署脚本", "部署 署脚 脚本 本"),
        ("用pnpm安装", "用 pnpm 安装 装"),
        ("データ", "デー ータ タ"),
        ("데이터", "데이 이터 터"),
        ("ＡＰＩ", "API"),
    ],
)
def test_what_the_tokenizer_cannot_see_is_added(text: str, expected: str):
    assert index_text(text) == expected


def test_long_blobs_are_not_taken_for_identifiers():
    assert index_text("aB" * 100) == ""


def test_hostile_text_takes_linear_time():
    start = time.process_time()
    for text in ("aB" * 200_000, "a" * 400_000, "部" * 100_000, "A_" * 200_000, "'s" * 100_000):
        index_text(text)
        query_words(text)
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("where is Anna's key", ["where", "is", "Anna", "key"]),
        ("部署脚本在哪", ["部署", "署脚", "脚本", "本在", "在哪"]),
        ("数据库", ["数据库"]),
        ("use pnpm安装", ["use", "pnpm", "安装"]),
        ("- !! ...", []),
        ("src/app.py", ["src/app.py"]),
    ],
)
def test_a_question_becomes_terms(text: str, expected: list[str]):
    assert query_words(text) == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("build", '"build"'),
        ("src/app.py", '"src app py"'),
        ("parseTree", '("parseTree" OR "parse Tree")'),
        ("数据库", '("数据 据库")'),
        ("库", '("库" *)'),
        ("用pnpm安装", '("用" * AND "pnpm" AND "安装")'),
        ("!?", None),
    ],
)
def test_a_term_becomes_an_expression(term: str, expected: str | None):
    assert fts_expression(term) == expected


@given(st.text())
def test_an_expression_holds_no_sign_that_the_engine_would_read_as_its_own(term: str):
    expression = fts_expression(term)
    if expression is not None:
        assert re.fullmatch(r"[^\W_]*", "".join(re.findall(r'"([^"]*)"', expression)).replace(" ", ""))
        assert not set(re.sub(r'"[^"]*"', "", expression)) - set("() *ORAND")
