"""Below a head that means a secret every row is masked, and nothing beside it."""

import pytest

from vademecum.secrets import mask

ADA, BOB = "hunter2" + "Secret9", "Xk9mQ2" + "vL7pR4"

_TABLES = (
    "| user | password | role |\n|---|---|---|\n| ada | {} | admin1 |\n| bob | {} | dev22222 |\n\nend",
    "user,password,role\nada,{},admin1\nbob,{},dev22222\n",
    "user\tpassword\trole\nada\t{}\tadmin1\nbob\t{}\tdev22222\n",
    " user | password | role\n------+------+-----\n ada | {} | admin1\n bob | {} | dev22222\n(2 rows)",
    "   1→user;password;role\n   2→ada;{};admin1\n   3→bob;{};dev22222\n",
    "+user,password,role\n+ada,{},admin1\n+bob,{},dev22222\n",
    "<tr><th>User</th><th>Password</th></tr><tr><td>ada</td><td>{}</td></tr><tr><td>bob</td><td>{}</td></tr>",
    "INSERT INTO users (name, password, role) VALUES ('ada', '{}', 'admin1'), ('bob', '{}', 'dev22222');",
    "user      password    role\nada       {}   admin1\nbob       {}   dev22222\n",
    r'{{"text": "| user | password |\n|---|---|\n| ada1 | {} |\n| bob1 | {} |\n"}}',
)


@pytest.mark.parametrize("table", _TABLES)
def test_the_column_goes_and_the_others_stay(table: str):
    assert mask(table.format(ADA, BOB)) == table.format("[secret:password]", "[secret:password]")


def test_a_table_ends_where_a_line_has_other_cells():
    text = "user,password\nada," + ADA + "\n\nid,name\n1,x1y2z3a4b5\n"
    assert mask(text) == text.replace(ADA, "[secret:password]")


def test_quotes_and_code_marks_around_a_cell_stay():
    assert mask(f"| name | token |\n|---|---|\n| a | `{BOB}` |\n") == (
        "| name | token |\n|---|---|\n| a | `[secret:token]` |\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "| user | password |\n|---|---|\n| ada | required |\n| bob | see vault |\n",
        "| user | password |\n|---|---|\n| ada | $ADA_PASSWORD1 |\n| bob | <password2> |\n",
        "user,password_hash\nada,a1b2c3d4e5f6a7b8\n",
        "| step | tokens |\n|---|---|\n| one1 | 12ab34cd56 |\n",
    ],
)
def test_what_is_no_secret_in_such_a_table_stays(text: str):
    assert mask(text) == text
