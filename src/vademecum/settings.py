"""What a setting is: its kind, what it may be, and how a value of a file or a variable is read as one."""

import re

import msgspec

from vademecum.errors import SecretFound

__all__ = ["Setting", "accept", "from_text", "refuse_secret", "written"]

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}")


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """One setting: where it stands in the file, what it means, what it may be."""

    table: str
    name: str
    default: bool | int | str
    what: str
    #: Inclusive bounds for numbers.
    low: int = 0
    high: int = 0
    #: The words allowed, for texts.
    choices: tuple[str, ...] = ()
    #: The form of a free text as a regular expression; an empty text is always allowed: not set.
    form: str = ""
    #: The form in words.
    form_in_words: str = ""

    @property
    def key(self) -> str:
        """`table.name`, as `vade config` and the environment spell it."""
        return f"{self.table}.{self.name}"

    @property
    def allowed(self) -> str:
        """What it may be, in words."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, int):
            return f"a whole number from {self.low} to {self.high}"
        return self.form_in_words or "one of " + ", ".join(self.choices)

    @property
    def variable(self) -> str:
        """The environment variable that overrides the file."""
        return f"VADEMECUM_{self.table}_{self.name}".upper()

    def fits(self, text: str) -> bool:
        """Whether a text may be its value."""
        return not text or re.fullmatch(self.form, text) is not None if self.form else text in self.choices


def written(value: bool | int | str) -> str:
    """A value as a person writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def from_text(setting: Setting, text: str) -> bool | int | str:
    """What a person wrote as a value of this kind, or the text itself where it is none."""
    words = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
    if isinstance(setting.default, bool):
        return words.get(text.lower(), text)
    if isinstance(setting.default, int) and _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    return text


def accept(setting: Setting, raw: object) -> tuple[bool | int | str, str]:
    """The value to use and a warning, empty where there is nothing to say."""
    default = setting.default
    if raw is None:
        return default, ""
    if type(raw) is not type(default):
        return default, _not_used(setting, raw, default)
    if isinstance(raw, str) and (not setting.fits(raw) or _holds_secret(setting, raw)):
        return default, _not_used(setting, raw, default)
    if isinstance(raw, int) and not isinstance(raw, bool) and not setting.low <= raw <= setting.high:
        clamped = min(max(raw, setting.low), setting.high)
        return clamped, _not_used(setting, raw, clamped)
    assert isinstance(raw, bool | int | str)
    return raw, ""


def refuse_secret(setting: Setting, text: str) -> None:
    """Keep a key out of the file where its name belongs. Raises SecretFound, which does not show it."""
    if _holds_secret(setting, text):
        raise SecretFound(
            f"the value for {setting.key} looks like a secret, and settings are stored in plain text",
            intact="No setting was changed.",
            next_step=f"Where it is none: {setting.key} must be {setting.allowed}. A key goes into an environment "
            "variable, and the name of that into `model.api_key_env`.",
        )


def _holds_secret(setting: Setting, text: str) -> bool:
    """By its own shape, or because it is not of the form that is asked for and would do as the value of a key."""
    if not setting.form:
        return False
    from vademecum.secrets import scan

    return bool(scan(text) or (not setting.fits(text) and scan(f"api_key = {text}")))


def _not_used(setting: Setting, raw: object, used: bool | int | str) -> str:
    if setting.form:  # not shown: it may be a key in the wrong place
        return f"{setting.key} must be {setting.allowed}; what stands there is not used"
    shown = written(raw) if isinstance(raw, bool | int) else repr(raw)
    return f"{setting.key} is {shown}, but must be {setting.allowed}; using {written(used)}"
