// The position explorer of a ruleset's page: a position's value and all its options. The rules are in games/NAME.js, their semantics in rules.js. All output is set as text.
(function (root) {
  "use strict";

  const { games, R, Game, Solver, Fault, grouped } = root.grundylab;
  const SLICE = 12; // the page may respond to the reader after so many milliseconds of solving
  const ROWS = 200; // the most options shown at first
  const KEPT = 1000000; // the most positions whose values are kept for the next question
  const HASH = "#explore:";

  // -- small helpers ----------------------------------------------------------------------------------

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  function button(text, pressed) {
    const made = element("button", { type: "button" }, text);
    made.addEventListener("click", pressed);
    return made;
  }

  function plural(number, word) {
    return `${grouped(number)} ${word}${number === 1 ? "" : "s"}`;
  }

  function whole(text) {
    return /^\s*-?\d+\s*$/.test(text) ? BigInt(text.trim()) : null;
  }

  // -- deep links: #explore:m=8,x=3,y=5 and, for a sum, #explore:x=3+x=5 --------------------------------

  function toHash(game, positions) {
    const named = (items, values) => items.map(({ name }, place) => `${name}=${values[place]}`);
    const parts = positions.map((position) => named(game.data.coordinates, position));
    parts[0].unshift(...named(game.data.parameters, game.parameters));
    return HASH + parts.map((part) => part.join(",")).join("+");
  }

  function fromHash(hash, data) {
    const texts = decodeURIComponent(hash.slice(HASH.length)).split("+");
    const parts = texts.map((text) => new Map(text.split(",").map((item) => item.split("=", 2))));
    const values = (items, part) =>
      items.map(({ name }) => {
        const value = whole(part.get(name) || "");
        if (value === null) throw new Fault(`the link has no whole number for ${name}`);
        return value;
      });
    return {
      parameters: values(data.parameters, parts[0]),
      positions: parts.map((part) => values(data.coordinates, part)),
    };
  }

  // -- the explorer -----------------------------------------------------------------------------------

  class Explorer {
    constructor(place, script) {
      const find = (selector) => place.querySelector(selector);
      this.script = script;
      this.data = script.data;
      this.asked = 0; // the number of the latest question: older ones are abandoned
      this.solver = null;
      this.shown = null; // the positions whose sum is shown
      this.form = find(".explorer-ask");
      this.fault = find(".explorer-fault");
      this.heading = find("h3");
      this.status = find(".explorer-status");
      this.why = find(".explorer-why");
      this.options = find(".explorer-options");
      find(".explorer-none").hidden = true;
      this.form.hidden = false;
      this.form.addEventListener("submit", (event) => this.submit(event));
      root.addEventListener("hashchange", () => this.followHash({ focus: true }) || location.hash || this.begin());
      if (this.followHash({})) place.scrollIntoView();
      else this.begin();
    }

    begin() {
      const start = this.data.start;
      const asked = () => ({ parameters: start.parameters.map(BigInt), positions: [start.position.map(BigInt)] });
      if (start) this.ask(asked, { quiet: true });
    }

    field(name) {
      return this.form.elements.namedItem(name);
    }

    // Show the position in the address; return whether there is one.
    followHash(how) {
      if (!location.hash.startsWith(HASH)) return false;
      if (this.shown && location.hash === toHash(this.solver.game, this.shown)) return true;
      this.ask(() => fromHash(location.hash, this.data), how);
      return true;
    }

    submit(event) {
      event.preventDefault();
      const read = (items) =>
        items.map(({ name }) => {
          const value = whole(this.field(name).value);
          if (value === null) throw Object.assign(new Fault(`${name} must be a whole number`), { at: name });
          return value;
        });
      this.ask(() => ({ parameters: read(this.data.parameters), positions: [read(this.data.coordinates)] }), { focus: true });
    }

    // Check, solve and show the sum of the requested positions. quiet: do not set the address.
    ask(question, how) {
      this.asked += 1;
      const number = this.asked;
      try {
        const { parameters, positions } = question();
        const solver = this.solverFor(parameters, positions);
        this.form.setAttribute("aria-busy", "true");
        this.inSlices(number, solver.solve(positions), () => this.show(solver, solver.tidy(positions), how));
      } catch (error) {
        this.refuse(error);
      }
    }

    solverFor(parameters, positions) {
      let game = new Game(this.script, parameters);
      const bad = game.badParameter();
      if (bad) throw Object.assign(new Fault(bad.message), { at: bad.name });
      for (const position of positions) {
        const { game: admitting, problem } = game.admitting(position);
        if (problem) throw Object.assign(new Fault(problem.message), { at: problem.name });
        game = admitting;
      }
      const before = this.solver && this.solver.game;
      const same = before && before.bound === game.bound && before.parameters.join() === parameters.join();
      return same && this.solver.values.size < KEPT ? this.solver : new Solver(game);
    }

    inSlices(number, work, done) {
      const slice = () => {
        if (number !== this.asked) return void work.return();
        try {
          for (const until = performance.now() + SLICE; performance.now() < until; ) {
            const { done: ended, value } = work.next();
            if (ended) return void done();
            this.progress = value;
          }
        } catch (error) {
          return void this.refuse(error);
        }
        if (!this.status.textContent.startsWith("Solving")) this.say("Solving …");
        this.title(`Solving: ${plural(this.progress, "position")} so far`);
        setTimeout(slice);
      };
      slice();
    }

    refuse(error) {
      const known = error instanceof Fault || error instanceof R.NoValue;
      if (!known && !(error instanceof RangeError || error instanceof URIError)) throw error;
      this.form.removeAttribute("aria-busy");
      this.fault.textContent = known ? error.message : "a number is too large to compute, or not a number";
      this.say("");
      this.clear("");
      this.shown = null;
      for (const field of this.form.querySelectorAll("input")) field.setAttribute("aria-invalid", String(field.name === error.at));
      if (error.at) this.field(error.at).focus();
    }

    say(text) {
      this.status.textContent = text;
    }

    title(text) {
      this.heading.textContent = text;
      this.heading.hidden = text === "";
    }

    clear(title) {
      this.title(title);
      this.why.textContent = "";
      this.options.replaceChildren();
    }

    // -- output ---------------------------------------------------------------------------------------

    show(solver, positions, { quiet = false, focus = false }) {
      this.settle(solver, positions, quiet);
      const options = solver.options(positions); // they are solved already; the limit on solving applies here, too
      const winning = options.filter((option) => option.value === 0);
      this.clear(this.text(positions));
      const says = `${this.valueText(solver.value(positions))}; ${plural(winning.length, "winning move")} of ${options.length}`;
      this.say(`${this.text(positions)}: ${says}`);
      this.why.textContent = this.reason(positions, options, winning);
      this.showOptions([...winning, ...options.filter((option) => option.value !== 0)]);
      if (focus) this.heading.focus();
    }

    // Copy the positions to the fields and the address.
    settle(solver, positions, quiet) {
      this.solver = solver;
      this.shown = positions;
      this.form.removeAttribute("aria-busy");
      this.fault.textContent = "";
      const fill = (items, values) =>
        items.forEach(({ name }, place) => {
          this.field(name).value = String(values[place]);
          this.field(name).removeAttribute("aria-invalid");
        });
      fill(this.data.parameters, solver.game.parameters);
      fill(this.data.coordinates, positions[0]);
      const hash = toHash(solver.game, positions);
      if (!quiet && location.hash !== hash) location.hash = hash;
    }

    text(positions) {
      return positions.map((position) => this.solver.game.text(position)).join(" + ");
    }

    valueText(value) {
      const outcome = value === 0 ? "P-position" : "N-position";
      return this.solver.misere ? outcome : `${outcome}, Grundy number ${value}`;
    }

    reason(positions, options, winning) {
      if (options.length === 0) {
        return this.solver.misere
          ? "No move is left, and under misère play whoever cannot move wins: an N-position."
          : "No move is left, and whoever cannot move loses: a P-position.";
      }
      const value = this.solver.value(positions);
      const below = value === 1 ? "0" : `all from 0 to ${value - 1}`;
      const more = !this.solver.misere && value > 0;
      const grundy = more ? ` The Grundy numbers of its options include ${below}, but not ${value}.` : "";
      const sum = positions.length > 1 ? " This is a sum: a move is made in one of its parts, and the Grundy numbers are nim-sums of theirs." : "";
      if (winning.length === 0) return `A P-position, because every option is an N-position.${grundy}${sum}`;
      const { move, positions: to } = winning[0];
      const name = this.data.moves[move].name;
      return `An N-position, because of the move “${name}” to the P-position ${this.text(to)}.${grundy}${sum}`;
    }

    // Show the table of options: a row with a link and the value for each, at first only so many.
    showOptions(rows, most = ROWS) {
      if (rows.length === 0) return void this.options.replaceChildren();
      const worth = this.solver.misere ? ["Outcome"] : ["Outcome", "Grundy"];
      const head = ["Move", "What changes", "To", ...worth, ""];
      const advised = this.shown.length === 1 ? this.advised(this.shown[0]) : null;
      const body = rows.slice(0, most).map((option) => {
        const wins = option.value === 0;
        const named = wins && advised && advised.move === option.move && advised.to === option.parts.join(";");
        const to = element("a", { href: toHash(this.solver.game, option.positions) }, this.text(option.positions));
        const values = [wins ? "P" : "N", option.value].slice(0, worth.length);
        const cells = [this.data.moves[option.move].name, this.change(option), to, ...values, wins ? (named ? "wins: the strategy’s move" : "wins") : ""];
        return element("tr", { class: wins ? "wins" : "" }, ...cells.map((cell) => element("td", {}, cell)));
      });
      const caption = "Options: click one to move there";
      const table = element(
        "table", {}, element("caption", {}, caption),
        element("thead", {}, element("tr", {}, ...head.map((name) => element(name ? "th" : "td", name ? { scope: "col" } : {}, name)))),
        element("tbody", {}, ...body),
      );
      const region = { class: "explorer-table", role: "region", "aria-label": caption, tabindex: "0" };
      const more = button(`Show all ${grouped(rows.length)} options`, () => this.showOptions(rows, rows.length));
      this.options.replaceChildren(element("div", region, table), ...(rows.length > most ? [more] : []));
    }

    // Return the move of the strategy at a position, as {move, to}; null if there is none.
    advised(position) {
      try {
        const line = this.solver.game.rules.strategy.find(({ when }) => when(...position));
        return line ? { move: line.move, to: line.to(...position).join(";") } : null;
      } catch (error) {
        if (error instanceof R.NoValue || error instanceof RangeError) return null;
        throw error;
      }
    }

    change({ part, parts }) {
      const from = this.shown[part];
      if (parts.length !== 1) return `${this.solver.game.text(from)} becomes ${parts.length === 0 ? "nothing" : this.text(parts)}`;
      const changed = this.data.coordinates.flatMap(({ name }, place) =>
        parts[0][place] === from[place] ? [] : [`${name}: ${from[place]} → ${parts[0][place]}`],
      );
      return changed.join(", ");
    }
  }

  for (const place of document.querySelectorAll(".explorer[data-game]")) {
    const script = games[place.dataset.game];
    if (script) new Explorer(place, script);
  }
})(globalThis);
