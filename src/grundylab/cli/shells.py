"""What shells are told beyond the names of commands and options: how rulesets and claims are completed.

The scripts look at the files, without starting Python: a key that takes half a second to answer is of no use.
"""

from __future__ import annotations

from typing import Any

Completion = dict[str, Any]
SHELLS = ("bash", "zsh", "fish")

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


def _by(function: str) -> Completion:
    return {"bash": function, "zsh": function, "fish": f"({function})"}


RULESETS, CLAIMS = _by("_grundylab_rulesets"), _by("_grundylab_claims")
