// The runtime of the games' scripts (games/NAME.js): the formula language's arithmetic on BigInt, and
// the definition of outcomes and Grundy numbers. Formulas have the same meaning, limits and messages as
// in language/plain.py. This file depends on no game and on no part of the page.
(function (root) {
  "use strict";

  const grundylab = (root.grundylab = root.grundylab || {});
  grundylab.games = grundylab.games || Object.create(null);

  // -- formulas ---------------------------------------------------------------------------------------

  const MAX_SHIFT = 4096n; // bits
  const MAX_RANGE = 1000000n; // the most values of a bound variable
  const MAX_RECURRENCE = 1000000; // the most values of a recurrence that are kept
  const MAX_WAITING = 100000; // the longest chain of values of a recurrence, each of which needs the next
  const MAX_BITS = 65536n; // of a value of a recurrence
  const MAX_PRODUCT = 262144; // bits of a product or of a shift's result
  const WRITTEN = 256; // bits; a message gives only the length of a longer number
  const SMALL = 1n << 64n; // products of smaller numbers are never too large
  const MAX_STEPS = 5000000; // values of bound variables and recurrences between two calls of R.rest()

  class NoValue extends Error {} // a formula has no value here
  class Limit extends NoValue {} // the value is too large or takes too long
  class Missing extends Error { // control flow: a recurrence needs another value first
    constructor(argument) {
      super("missing");
      this.argument = argument;
    }
  }

  let steps = 0;

  function grouped(number) {
    return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
  }

  function count(number) {
    steps += number;
    if (steps > MAX_STEPS) throw new Limit(`more than ${grouped(MAX_STEPS)} steps would be needed`);
  }

  function shown(n, form = String) {
    return bits(n) <= WRITTEN ? form(n) : `a number of ${grouped(bits(n))} bits`;
  }

  function floorDivide(a, b) {
    const quotient = a / b;
    return quotient * b !== a && a < 0n !== b < 0n ? quotient - 1n : quotient;
  }

  function shift(b) {
    if (b < 0n) throw new NoValue(`a shift by ${shown(b)}, which is negative`);
    if (b > MAX_SHIFT) throw new Limit(`a shift by ${shown(b, grouped)}; at most ${grouped(MAX_SHIFT)} is done`);
    return b;
  }

  function magnitude(n) {
    return n < 0n ? -n : n;
  }

  function bits(n) {
    return n === 0n ? 0 : (magnitude(n).toString(16).length - 1) * 4 + 32 - Math.clz32(leading(n));
  }

  function leading(n) {
    return Number.parseInt(magnitude(n).toString(16)[0], 16);
  }

  function shiftLeft(a, b) {
    const by = shift(b);
    if (magnitude(a) >= SMALL && bits(a) + Number(by) > MAX_PRODUCT) {
      throw new Limit(`a shift that gives more than ${grouped(MAX_PRODUCT)} binary digits`);
    }
    return a << by;
  }

  function multiply(a, b) {
    if ((magnitude(a) >= SMALL || magnitude(b) >= SMALL) && bits(a) + bits(b) > MAX_PRODUCT) {
      throw new Limit(`a product of more than ${grouped(MAX_PRODUCT)} binary digits`);
    }
    return a * b;
  }

  function checkSpan(variable, start, stop) {
    if (stop - start > MAX_RANGE) {
      const most = grouped(MAX_RANGE);
      throw new Limit(`${variable} has ${shown(stop - start, grouped)} values; at most ${most} are tried`);
    }
  }

  const R = {
    NoValue,
    Limit,
    rest() {
      steps = 0;
    },
    divide(a, b) {
      if (b === 0n) throw new NoValue(`division by zero: ${shown(a)} // 0`);
      return floorDivide(a, b);
    },
    modulo(a, b) {
      if (b === 0n) throw new NoValue(`division by zero: ${shown(a)} % 0`);
      return a - b * floorDivide(a, b);
    },
    multiply,
    shiftLeft,
    shiftRight: (a, b) => a >> shift(b),
    within: (least, most, name, value) => (...given) => {
      for (const n of given) {
        if (most !== null && n > most) throw new Limit(`${name}(${shown(n)}): its argument must be at most ${most}`);
        if (least !== null && n < least) throw new NoValue(`${name}(${shown(n)}): its argument must be at least ${least}`);
      }
      return value(...given);
    },
    any(variable, start, stop, body) {
      checkSpan(variable, start, stop);
      for (let value = start; value < stop; value++) {
        count(1);
        if (body(value)) return true;
      }
      return false;
    },
    all(variable, start, stop, body) {
      return !R.any(variable, start, stop, (value) => !body(value));
    },
    sum(variable, start, stop, body) {
      let total = 0n;
      R.any(variable, start, stop, (value) => {
        total += body(value);
        return false;
      });
      return total;
    },
    nim_sum(variable, start, stop, body) {
      let total = 0n;
      R.any(variable, start, stop, (value) => {
        total ^= body(value);
        return false;
      });
      return total;
    },
    accepts(automaton, numbers) {
      if (numbers.some((number) => number < 0n)) return false;
      const { recurrence, begins } = automaton;
      const most = numbers.reduce((most, number) => (number > most ? number : most), 0n);
      const places = [];
      for (let unit = 1n; unit <= most; ) {
        places.push(unit);
        if (places.length < begins.length) {
          unit = BigInt(begins[places.length]);
          continue;
        }
        const terms = (recurrence.length ? recurrence : [2]).slice(0, places.length);
        const first = places.length < recurrence.length ? 1n : 0n;
        unit = terms.reduce((sum, factor, back) => sum + BigInt(factor) * places[places.length - 1 - back], first);
      }
      const base = recurrence.length ? recurrence[0] + Number(recurrence.length > 1) : 2;
      const symbols = places.map(() => 0);
      for (let rest of numbers) {
        for (let place = places.length - 1; place >= 0; place--) {
          symbols[place] = base * symbols[place] + Number(rest / places[place]);
          rest %= places[place];
        }
      }
      let state = 0;
      for (const symbol of symbols) {
        state = automaton.rows[state][symbol];
        if (state < 0) return false;
      }
      return automaton.accepting[state];
    },
    // Each required value is computed once, the deepest first, so that the recursion stays shallow.
    recurrence(name, initial, body) {
      const known = new Map(initial);
      const begins = (argument) => {
        if (initial.length > 0 && argument < initial[0][0]) {
          throw new NoValue(`${name}(${shown(argument)}) is not defined: it begins at ${initial[0][0]}`);
        }
      };
      let running = false;
      const fill = (wanted) => {
        const waiting = [wanted];
        const onTheWay = new Set(waiting);
        while (waiting.length > 0) {
          const argument = waiting[waiting.length - 1];
          count(1);
          try {
            const found = body(argument);
            if (magnitude(found) >> MAX_BITS !== 0n) {
              throw new Limit(`${name}(${shown(argument)}) has more than ${grouped(MAX_BITS)} binary digits`);
            }
            known.set(argument, found);
            onTheWay.delete(waiting.pop());
          } catch (missing) {
            if (!(missing instanceof Missing)) throw missing;
            const needed = missing.argument;
            begins(needed);
            if (onTheWay.has(needed)) throw new NoValue(`${name}(${shown(needed)}) is defined by itself`);
            if (waiting.length >= MAX_WAITING) {
              throw new Limit(`${name}(${shown(wanted)}) needs more than ${grouped(MAX_WAITING)} values at once`);
            }
            const far = magnitude(needed) > magnitude(wanted) + BigInt(MAX_RECURRENCE);
            if (known.size + waiting.length > MAX_RECURRENCE || far) {
              throw new Limit(`${name}(${shown(wanted)}) needs more than ${grouped(MAX_RECURRENCE)} values`);
            }
            waiting.push(needed);
            onTheWay.add(needed);
          }
        }
      };
      return (wanted) => {
        if (known.has(wanted)) return known.get(wanted);
        if (running) throw new Missing(wanted);
        begins(wanted);
        running = true;
        try {
          fill(wanted);
        } finally {
          running = false;
        }
        return known.get(wanted);
      };
    },
  };

  // -- games ------------------------------------------------------------------------------------------

  // The bounds of a ruleset are the edges of its tables, not of the game: any bounds that admit a position suffice.
  const LARGEST = 2n ** 31n - 1n;
  const BOUNDS = [LARGEST, ...Array.from({ length: 31 }, (_, k) => 1n << BigInt(30 - k)), 0n];
  const MAX_POSITIONS = 200000; // the most positions to solve for one answer
  const MAX_MOVES = 5000000; // the most moves to examine for one answer

  class Fault extends Error {} // an error that is shown to the reader

  // A ruleset with its parameters (BigInt, in order) fixed. Positions are arrays of BigInt.
  class Game {
    constructor(script, parameters, bound = LARGEST) {
      this.data = script.data;
      this.script = script;
      this.parameters = parameters;
      this.bound = bound;
      this.rules = script.fix(R, ...parameters, ...script.data.bounds.map(() => bound));
    }

    // Return the first parameter outside its domain, as {name, message}; null if there is none.
    badParameter() {
      for (const [place, parameter] of this.data.parameters.entries()) {
        R.rest();
        if (!holds(this.rules.domains[place])) {
          const message = `${parameter.name} = ${this.parameters[place]} is outside its domain: ${parameter.domain}`;
          return { name: parameter.name, message };
        }
      }
      return null;
    }

    // Return the reason why this is no position, as {name, message}; null if it is a position.
    problem(position) {
      R.rest();
      for (const [place, { name }] of this.data.coordinates.entries()) {
        const before = position.slice(0, place);
        const [low, high] = this.rules.ranges[place].map((end) => end(...before));
        const value = position[place];
        if (value >= low && value <= high) continue;
        const beside = before.map((earlier, other) => `${this.data.coordinates[other].name} = ${earlier}`).join(", ");
        const where = this.data.coordinates[place].depends && beside ? ` where ${beside}` : "";
        if (high < low) return { name, message: `${name} can have no value${where}` };
        const range = value < low ? `at least ${low}` : `at most ${high}`;
        return { name, message: `${name} = ${value} is not possible: it must be ${range}${where}` };
      }
      if (this.rules.where(...position)) return null;
      return { name: null, message: `this is not a position: ${this.data.where} is not satisfied` };
    }

    // Return {game, problem}: the game with bounds that admit the position, or this game and why it does not admit it.
    admitting(position) {
      for (const bound of this.data.bounds.length > 0 ? BOUNDS : [LARGEST]) {
        const game = bound === this.bound ? this : new Game(this.script, this.parameters, bound);
        if (attempt(() => game.problem(position)) === null) return { game, problem: null };
      }
      return { game: this, problem: this.problem(position) };
    }

    // Yield {move, parts} for each option, in the ruleset's order, passes last. Some null values among them allow an interruption.
    *options(position) {
      let found = false;
      for (const pass of [false, true]) {
        for (const [move, { pass: isPass }] of this.data.moves.entries()) {
          if (isPass !== pass || (pass && !found)) continue;
          for (const parts of this.rules.moves[move](...position)) {
            found = found || parts !== null;
            yield parts === null ? null : { move, parts };
          }
        }
      }
    }

    text(position) {
      const named = this.data.coordinates.map(({ name }, place) => `${name}=${position[place]}`);
      return `(${named.join(", ")})`;
    }
  }

  function holds(condition) {
    return attempt(condition) === true;
  }

  function attempt(ask) {
    try {
      return ask();
    } catch (error) {
      if (error instanceof NoValue || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  // The values of positions by definition: Grundy numbers; under misère play 0 of a P-position and 1 of an N-position.
  class Solver {
    constructor(game) {
      this.game = game;
      this.misere = game.data.play === "misere";
      this.values = new Map();
      this.ended = new Set(); // positions without a move
    }

    // Return the value of a sum of solved positions.
    value(positions) {
      return positions.reduce((sum, position) => sum ^ this.values.get(position.join()), 0);
    }

    // Solve the positions and all reachable ones; yield the number solved, so that the caller may pause.
    *solve(positions) {
      const budget = { positions: this.values.size + MAX_POSITIONS, moves: 0 };
      for (const position of positions) {
        if (!this.values.has(position.join())) yield* this.#solveOne(position, budget);
      }
    }

    *#solveOne(root, budget) {
      const stack = [this.#frame(root, root)];
      try {
        while (stack.length > 0) {
          const frame = stack[stack.length - 1];
          R.rest();
          budget.moves += 1;
          if (budget.moves % 128 === 0) yield this.values.size;
          const next = frame.waiting ? { value: frame.waiting } : frame.options.next();
          if (next.done) {
            this.values.set(frame.key, this.#own(frame));
            if (frame.count === 0) this.ended.add(frame.key);
            stack.pop();
          } else if (next.value !== null) {
            const part = this.#unsolved(frame, next.value);
            frame.waiting = part ? next.value : null;
            if (part) stack.push(this.#frame(part, root));
          }
          if (this.values.size > budget.positions || budget.moves > MAX_MOVES) throw tooMuch(this.game.text(root));
        }
      } finally {
        for (const frame of stack) this.values.delete(frame.key);
      }
    }

    #frame(position, root) {
      const key = position.join();
      const problem = position === root ? null : this.game.problem(position);
      if (problem) throw new Fault(`a move leads to ${this.game.text(position)}, but ${problem.message}`);
      this.values.set(key, -1); // a mark: the position is not solved yet
      return { key, position, options: this.game.options(position), seen: new Set(), count: 0, waiting: null };
    }

    // Return the first part of the option that is not solved; if there is none, record the option's value.
    #unsolved(frame, { parts }) {
      for (const part of parts) {
        const value = this.values.get(part.join());
        if (value === undefined) return part;
        if (value < 0) throw new Fault(`the game could loop: from ${this.game.text(part)} it comes back there`);
      }
      frame.count += 1;
      frame.seen.add(this.value(parts));
      return null;
    }

    #own({ seen, count }) {
      if (this.misere) return count === 0 || seen.has(0) ? 1 : 0;
      return mex(seen);
    }

    // Return the options of a sum, as {part, move, positions, value}. Parts without a move are left out unless no other part remains.
    options(positions) {
      const found = [];
      for (const [part, position] of positions.entries()) {
        for (const option of this.game.options(position)) {
          R.rest();
          if (option === null) continue;
          const after = [...positions.slice(0, part), ...option.parts, ...positions.slice(part + 1)];
          const going = this.tidy(after);
          found.push({ part, move: option.move, parts: option.parts, positions: going, value: this.value(going) });
        }
      }
      return found;
    }

    tidy(positions) {
      const going = positions.filter((position) => !this.ended.has(position.join()));
      return going.length > 0 ? going : positions.slice(0, 1);
    }
  }

  function mex(values) {
    let least = 0;
    while (values.has(least)) least += 1;
    return least;
  }

  function tooMuch(text) {
    const most = `${grouped(MAX_POSITIONS)} positions or ${grouped(MAX_MOVES)} moves`;
    return new Fault(`more than ${most} would have to be looked at to solve ${text}: choose a smaller position`);
  }

  Object.assign(grundylab, { R, Game, Solver, Fault, grouped });
})(globalThis);
