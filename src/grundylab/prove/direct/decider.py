"""Decides by automata what an induction on a game's measure needs: every proof by induction is by these answers."""

from __future__ import annotations

from grundylab.automata.kernel import Dfa, Work, both, exists, some
from grundylab.games.model import Claim, Ruleset
from grundylab.language.syntax import TRUE, Expr, Kind, Name, compare
from grundylab.logic.direct.reader import Reader, Unreadable
from grundylab.prove.direct.induction import Induction
from grundylab.prove.direct.moves import Game
from grundylab.prove.hypothesis import Question

Parts = tuple[str, ...]  # of an induction, as ``induction.py`` has them


class Games:
    """The automata of the games that were asked about: what inductions have in common is made once."""

    def __init__(self) -> None:
        self._known: dict[str, Game] = {}

    def of(self, ruleset: Ruleset) -> Game:
        """The game's automata, as far as they were asked for."""
        if ruleset.hash not in self._known:
            natural = frozenset((*ruleset.coordinate_names, *ruleset.parameter_names))
            self._known[ruleset.hash] = Game(ruleset, Reader(ruleset.functions, Work(), natural))
        return self._known[ruleset.hash]


class Decider:
    """Answers about one induction. cells: of transition tables, that one answer may take.

    Raises TooLarge where they are not enough, Unreadable for a subterm that automata do not express.
    """

    def __init__(self, game: Game, question: Question, cells: int) -> None:
        self._game, self._question, self._cells = game, question, cells
        self._work, self._read = game.reader.work, game.reader.true
        self._failing: dict[tuple[Parts, Expr], Dfa] = {}

    def example(self, parts: Parts, assuming: Expr = TRUE, cells: int | None = None) -> dict[str, int] | None:
        """A position, with parameters that fulfil ``assuming``, where one of the parts is not so; None if all are."""
        self._work.give(min(cells or self._cells, self._cells))
        found = self._fails(parts, assuming).example()
        names = self._game.ruleset.formula_names
        return None if found is None else {name: found.get(name, 0) for name in names}

    def good_for(self, parts: Parts, assuming: Expr = TRUE) -> Dfa:
        """The values of the parameters for which all of the parts are so, outside their domains too."""
        self._work.give(self._cells)
        failing = self._fails(parts, assuming)
        hidden = set(failing.tracks) - set(self._game.ruleset.parameter_names)
        return ~exists(hidden, [failing], self._work)

    def good_exactly(self, parts: Parts, condition: Expr, assuming: Expr = TRUE) -> bool:
        """Whether they are so for the parameters (which fulfil ``assuming``) of the condition, and for no others."""
        good = self.good_for(parts, assuming)
        among = both([self._game.domain, self._read(assuming)], self._work)
        return (among & (good ^ self._read(condition))).is_empty

    def _fails(self, parts: Parts, assuming: Expr) -> Dfa:
        key = parts, assuming
        if key not in self._failing:
            assumed = self._read(assuming)
            induction = Induction(self._game, self._question, assumed)
            found = [where & assumed for part in parts for where in induction.failing(part)]
            self._failing[key] = some(found, self._work)
        return self._failing[key]


def readable(game: Game, claim: Claim, cells: int) -> bool:
    """Whether automata say what the claim does; if not, an induction must do without it."""
    game.reader.work.give(cells)
    value = Name("=g")
    try:
        for part in (claim.where, claim.formula):
            game.reader.true(part if part.kind is Kind.CONDITION else compare("==", value, part))
    except Unreadable:
        return False
    return True
