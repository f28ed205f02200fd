"""Decisions about sentences whose atoms are conditions of the formula language, by automata.

The automaton of a sentence reads its free variables, each on the track of the same name. The automaton of a definition
is made once, and its tracks are renamed wherever the definition is used.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grundylab.automata.dfa import Dfa, constant_dfa, intersection, projection, union
from grundylab.language.syntax import Int, Name, compare
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.reader import AutomataReader
from grundylab.logic.sentence import (
    ConditionAtom,
    Conjunction,
    Definition,
    DefinitionUse,
    Disjunction,
    Exists,
    Negation,
    Sentence,
    TruthValue,
    Variable,
    negation,
)


class SentenceReader:
    """A translator of sentences into automata. reader: the translator of their atoms."""

    def __init__(self, reader: AutomataReader) -> None:
        self.reader, self.work = reader, reader.work
        self._definitions: dict[int, tuple[Definition, Dfa]] = {}

    def true(self, sentence: Sentence) -> Dfa:
        """Return the automaton of the values of the free variables for which the sentence is true.

        Free variables may have any values. Raises OutsideFragment or TooLarge, as the reader of atoms does.
        """
        match sentence:
            case TruthValue(value=value):
                return constant_dfa(value, self.work)
            case ConditionAtom(condition=condition):
                return self.reader.true(condition)
            # a negation is not made by complement where its parts are smaller
            case Negation(sentence=Disjunction(parts=parts)):
                return intersection([self.true(negation(part)) for part in parts], self.work)
            case Negation(sentence=Conjunction(parts=parts)):
                return union([self.true(negation(part)) for part in parts], self.work)
            case Negation(sentence=inner):
                return ~self.true(inner)
            case Conjunction(parts=parts):
                return intersection(list(map(self.true, parts)), self.work)
            case Disjunction(parts=parts):
                return union(list(map(self.true, parts)), self.work)
            case Exists(variables=variables, sentence=inner):
                names = [variable.name for variable in variables]
                return projection(names, self.natural(variables, inner), self.work)
            case DefinitionUse(definition=definition, arguments=arguments):
                if id(definition) not in self._definitions:
                    self._definitions[id(definition)] = definition, self.true(definition.sentence)
                _, automaton = self._definitions[id(definition)]
                pairs = zip(definition.parameters, arguments, strict=True)
                return automaton.renamed({old.name: new.name for old, new in pairs})
        raise TypeError(f"not a sentence with conditions as atoms: {sentence!r}")

    def natural(self, variables: Sequence[Variable], *sentences: Sentence) -> list[Dfa]:
        """Return automata whose intersection says that all sentences are true and the variables natural."""
        parts = [self.true(part) for sentence in sentences for part in _conjuncts(sentence)]
        if not self.work.system.binary:
            if signed := [variable.name for variable in variables if variable.signed]:
                raise OutsideFragment(
                    f"{min(signed)} may be negative, and numbers in {self.work.system.words} have no sign"
                )
            return parts
        doubtful = dict.fromkeys(variable.name for variable in variables if not variable.signed)
        for part in parts:
            letters = np.arange(part.sign.shape[1])
            for place, track in enumerate(part.tracks):
                # such a part accepts no negative number on the track
                if track in doubtful and not part.sign[:, letters >> place & 1 == 1].any():
                    del doubtful[track]
        return [*parts, *(self.reader.true(compare(">=", Name(name), Int(0))) for name in doubtful)]


def _conjuncts(sentence: Sentence) -> list[Sentence]:
    """Return sentences whose conjunction is the sentence, so that a projection can treat them apart."""
    match sentence:
        case Conjunction(parts=parts):
            return [inner for part in parts for inner in _conjuncts(part)]
        case Negation(sentence=Disjunction(parts=parts)):
            return [inner for part in parts for inner in _conjuncts(negation(part))]
    return [sentence]
