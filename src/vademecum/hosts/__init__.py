"""How memory is plugged into an agent program: what is written into its files, and how that is taken out again.

`Host` says what a host is (`protocol`); one package per host says it of that host; `plan_install` and `plan_removal`
show what would change, and `carry_out` changes it; `examine_host` says how it stands.
"""

from vademecum.hosts.carrying_out import carry_out
from vademecum.hosts.examining import examine_host, is_plugged_in
from vademecum.hosts.installing import Change, Plan, plan_install
from vademecum.hosts.protocol import Command, FileEdit, Host, Places, Wiring
from vademecum.hosts.registry import HOSTS, host_named
from vademecum.hosts.removing import plan_removal

__all__ = [
    "HOSTS",
    "Change",
    "Command",
    "FileEdit",
    "Host",
    "Places",
    "Plan",
    "Wiring",
    "carry_out",
    "examine_host",
    "host_named",
    "is_plugged_in",
    "plan_install",
    "plan_removal",
]
