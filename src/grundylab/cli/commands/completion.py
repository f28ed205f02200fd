"""``grundylab completion``: prints the script with which a shell completes commands, options, rulesets and claims.

The scripts read rulesets themselves: to start Python would delay each completion by half a second.
"""

from __future__ import annotations

import argparse

import shtab

from grundylab.cli import arguments
from grundylab.cli.common import CommandResult
from grundylab.cli.main import COMMANDS, parser_of

_BASH = r"""
_grundylab_rulesets() {
  local file
  for file in rulesets/*.yaml; do
    [ -e "$file" ] && file="${file##*/}" && [[ "${file%.yaml}" == "$1"* ]] && echo "${file%.yaml}"
  done
  compgen -f -X '!*.y*ml' -- "$1"
}
_grundylab_claims() {
  local word file
  for word in "${COMP_WORDS[@]:2}"; do
    for file in "$word" "rulesets/$word.yaml"; do
      [ -f "$file" ] && compgen -W "$(_grundylab_ids "$file")" -- "$1" && return
    done
  done
}
"""
_ZSH = r"""
_grundylab_rulesets() {
  compadd -- rulesets/*.yaml(N:t:r)
  _files -g '*.y*ml'
}
_grundylab_claims() {
  local word file
  for word in $words; do
    for file in $word rulesets/$word.yaml; do
      [[ -f $file ]] && compadd -- $(_grundylab_ids $file) && return
    done
  done
}
"""
_IDS = r"""
_grundylab_ids() {
  sed -n 's/^ *- *{\{0,1\} *id: *"\{0,1\}\([^,"} ]*\).*/\1/p' "$1"
}
"""
_FISH = r"""
function _grundylab_rulesets
  for file in rulesets/*.yaml
    path change-extension '' (path basename $file)
  end
  __fish_complete_suffix .yaml
end
function _grundylab_claims
  for word in (commandline -opc)
    for file in $word rulesets/$word.yaml
      test -f $file; and sed -n 's/^ *- *{\{0,1\} *id: *"\{0,1\}\([^,"} ]*\).*/\1/p' $file; and return
    end
  end
end
"""
PREAMBLE = {"bash": _BASH + _IDS, "zsh": _ZSH + _IDS, "fish": _FISH}


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "Print a script that lets a shell complete commands, options, rulesets and claims; docs/install.md "
        "explains where to put it.",
        "grundylab completion bash",
    )
    parser.add_argument("shell", choices=tuple(PREAMBLE), help="the shell")
    arguments.as_json(parser)


def run(options: argparse.Namespace) -> CommandResult:
    """Return the script for the shell, to be printed."""
    script = shtab.complete(parser_of(COMMANDS), options.shell, preamble=PREAMBLE[options.shell])
    return CommandResult("done", script, {"shell": options.shell, "script": script})
