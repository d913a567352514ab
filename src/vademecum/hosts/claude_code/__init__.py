"""Claude Code: hooks, tools, a skill and two commands, as a plugin or as entries in its settings.

Facts from Claude Code 2.1.332, run against a scripted model: a marketplace of the kind `directory` and a plugin that
`enabledPlugins` names are taken in at the next start, without network and without a question, by `claude -p` too.
Its MCP servers are told the id of a call and not the session; tools without `anthropic/alwaysLoad` are deferred behind
its tool search.
Servers of the user stand in `.claude.json`: in `$CLAUDE_CONFIG_DIR`, else in the home folder.
"""

from vademecum.hosts.claude_code.host import CLAUDE_CODE

__all__ = ["CLAUDE_CODE"]
