// The position explorer of a ruleset's page: a position's value with all its options, and a game against
// the program. The rules are in games/NAME.js, what they mean in rules.js. Whatever is shown is set as text.
(function (root) {
  "use strict";

  const { games, R, Game, Solver, Fault, grouped } = root.grundylab;
  const SLICE = 12; // milliseconds of solving between two moments for the page
  const ROWS = 200; // options shown at first
  const KEPT = 1000000; // positions whose values are kept for the next question
  const HASH = "#explore:";

  // -- small helpers ----------------------------------------------------------------------------------

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value === true) made.setAttribute(name, "");
      else if (value !== false) made.setAttribute(name, value);
    }
    made.append(...children);
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
        if (value === null) throw new Fault(`the address asks for a position, but gives no whole number for ${name}`);
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
      this.script = script;
      this.data = script.data;
      this.asked = 0; // the number of the latest question: older ones are given up
      this.trail = []; // positions to go back to
      this.solver = null;
      this.shown = null; // the positions whose sum is shown
      this.log = null; // of the game being played; null when none is
      this.build(place);
      root.addEventListener("hashchange", () => this.followHash());
      if (this.followHash()) place.scrollIntoView();
      else this.begin();
    }

    build(place) {
      const id = (name) => `explorer-${name}`;
      this.inputs = new Map();
      const input = ({ name }, hint) => {
        const field = element("input", {
          type: "number", step: "1", inputmode: "numeric", required: true, autocomplete: "off", id: id(`in-${name}`),
          "aria-describedby": `${id(`hint-${name}`)} ${id("fault")}`,
        });
        this.inputs.set(name, field);
        const label = element("label", { for: field.id }, name);
        return element("div", {}, label, field, element("small", { id: id(`hint-${name}`) }, hint));
      };
      const parameters = this.data.parameters.map((item) => input(item, item.domain));
      const coordinates = this.data.coordinates.map((item) => input(item, this.hint(item)));
      const group = (name, fields) => element("fieldset", {}, element("legend", {}, name), ...fields);
      this.form = element(
        "form", { novalidate: true, onsubmit: (event) => this.submit(event) },
        ...(parameters.length > 0 ? [group("Parameters", parameters)] : []),
        group(this.data.where ? `Position, where ${this.data.where}` : "Position", coordinates),
        element("button", { type: "submit" }, "Show"),
      );
      this.fault = element("p", { id: id("fault"), class: "explorer-fault", role: "alert" });
      this.heading = element("h3", { tabindex: "-1", hidden: true });
      this.status = element("p", { class: "explorer-status", role: "status", "aria-live": "polite" });
      this.why = element("p", { class: "explorer-why" });
      this.bar = element("div", { class: "explorer-bar" });
      this.options = element("div", { class: "explorer-options" });
      place.replaceChildren(this.form, this.fault, this.heading, this.status, this.why, this.bar, this.options);
    }

    // A capitalised name in a range is the edge of a table, which is not asked for here.
    hint({ range, hint }) {
      if (hint) return hint;
      const bound = this.data.bounds.some((name) => new RegExp(`\\b${name}\\b`).test(range.split("..")[1]));
      return bound ? `${range.split("..")[0]} or more` : range;
    }

    begin() {
      const start = this.data.start;
      if (!start) return;
      this.ask(start.parameters.map(BigInt), [start.position.map(BigInt)], { quiet: true });
    }

    followHash() {
      if (!location.hash.startsWith(HASH)) return false;
      if (this.shown && location.hash === toHash(this.solver.game, this.shown)) return true;
      try {
        const { parameters, positions } = fromHash(location.hash, this.data);
        this.ask(parameters, positions, {});
      } catch (error) {
        this.refuse(error);
      }
      return true;
    }

    submit(event) {
      event.preventDefault();
      const read = (items) =>
        items.map(({ name }) => {
          const value = whole(this.inputs.get(name).value);
          if (value === null) throw Object.assign(new Fault(`${name} must be a whole number`), { at: name });
          return value;
        });
      try {
        this.ask(read(this.data.parameters), [read(this.data.coordinates)], { focus: true });
      } catch (error) {
        this.refuse(error);
      }
    }

    // Checks and solves the sum of the positions, then shows it. back: it is gone back to. quiet: no address is set.
    ask(parameters, positions, how) {
      this.asked += 1;
      const number = this.asked;
      try {
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
      this.fault.textContent = known ? error.message : "a number there is too large to be computed, or not a number";
      this.say("");
      this.clear("");
      if (this.shown) this.trail.push({ parameters: this.solver.game.parameters, positions: this.shown });
      this.shown = null;
      for (const [name, field] of this.inputs) field.setAttribute("aria-invalid", String(name === error.at));
      if (error.at) this.inputs.get(error.at).focus();
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
      this.bar.replaceChildren();
      this.options.replaceChildren();
    }

    // -- what is shown --------------------------------------------------------------------------------

    show(solver, positions, { back = false, quiet = false, focus = false }) {
      const before = this.shown && { parameters: this.solver.game.parameters, positions: this.shown };
      const moved = before && toHash(this.solver.game, before.positions) !== toHash(solver.game, positions);
      if (moved && !back) this.trail.push(before);
      this.log = null;
      this.settle(solver, positions, quiet);
      const options = solver.options(positions); // all solved: what solving took is the limit here, too
      const winning = options.filter((option) => option.value === 0);
      this.title(this.text(positions));
      const says = `${this.valueText(solver.value(positions))}; ${plural(winning.length, "winning move")} of ${options.length}`;
      this.say(`${this.text(positions)}: ${says}`);
      this.why.textContent = this.reason(positions, options, winning);
      this.exploreBar();
      const rows = [...winning, ...options.filter((option) => option.value !== 0)];
      this.showOptions(rows, { values: true, pick: (option) => this.ask(solver.game.parameters, option.positions, { focus: true }) });
      if (focus) this.heading.focus();
    }

    // Takes over the positions: the fields, the address.
    settle(solver, positions, quiet) {
      this.solver = solver;
      this.shown = positions;
      this.form.removeAttribute("aria-busy");
      this.fault.textContent = "";
      const fill = (items, values) =>
        items.forEach(({ name }, place) => {
          this.inputs.get(name).value = String(values[place]);
          this.inputs.get(name).removeAttribute("aria-invalid");
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

    exploreBar() {
      const back = element("button", { type: "button", disabled: this.trail.length === 0, onclick: () => this.goBack() }, "Back");
      const who = element(
        "select", { id: "explorer-who" },
        element("option", { value: "you" }, "you"), element("option", { value: "program" }, "the program"),
      );
      const play = element("button", { type: "button", onclick: () => this.play(who.value === "you") }, "Play from here");
      this.bar.replaceChildren(back, play, element("label", { for: "explorer-who" }, "Who begins?", who));
    }

    goBack() {
      const { parameters, positions } = this.trail.pop();
      this.ask(parameters, positions, { back: true, focus: true });
    }

    // A row an option; the button of a row picks it. values: also what each is worth.
    showOptions(rows, { values, pick, most = ROWS }) {
      if (rows.length === 0) return void this.options.replaceChildren();
      const worth = this.solver.misere ? ["Outcome"] : ["Outcome", "Grundy"];
      const head = ["Move", "What changes", "To", ...(values ? [...worth, ""] : [])];
      const body = rows.slice(0, most).map((option) => {
        const wins = values && option.value === 0;
        const to = element("button", { type: "button", onclick: () => pick(option) }, this.text(option.positions));
        const cells = [this.data.moves[option.move].name, this.change(option), to];
        if (values) cells.push(...[option.value === 0 ? "P" : "N", option.value].slice(0, worth.length), wins ? "wins" : "");
        return element("tr", { class: wins ? "wins" : "" }, ...cells.map((cell) => element("td", {}, cell)));
      });
      const caption = values ? "Options: click one to go there" : "Your moves";
      const table = element(
        "table", {}, element("caption", {}, caption),
        element("thead", {}, element("tr", {}, ...head.map((name) => element(name ? "th" : "td", name ? { scope: "col" } : {}, name)))),
        element("tbody", {}, ...body),
      );
      const region = { class: "explorer-table", role: "region", "aria-label": caption, tabindex: "0" };
      const more = element(
        "button", { type: "button", onclick: () => this.showOptions(rows, { values, pick, most: rows.length }) },
        `Show all ${grouped(rows.length)} options`,
      );
      this.options.replaceChildren(element("div", region, table), ...(rows.length > most ? [more] : []));
    }

    change({ part, parts }) {
      const from = this.shown[part];
      if (parts.length !== 1) return `${this.solver.game.text(from)} becomes ${parts.length === 0 ? "nothing" : this.text(parts)}`;
      const changed = this.data.coordinates.flatMap(({ name }, place) =>
        parts[0][place] === from[place] ? [] : [`${name}: ${from[place]} → ${parts[0][place]}`],
      );
      return changed.join(", ");
    }

    // -- playing --------------------------------------------------------------------------------------

    play(youBegin) {
      this.log = [];
      this.trail.push({ parameters: this.solver.game.parameters, positions: this.shown });
      if (youBegin) this.yourTurn();
      else this.programMoves();
    }

    programMoves() {
      const reply = this.solver.reply(this.shown);
      if (reply === null) return void this.ended(false);
      this.move(reply, "The program");
      this.yourTurn();
    }

    move(option, who) {
      const what = `${this.data.moves[option.move].name} (${this.change(option)})`;
      this.settle(this.solver, option.positions, false);
      this.log.push(`${who}: ${what}, to ${this.text(this.shown)}`);
    }

    yourTurn() {
      const options = this.solver.options(this.shown);
      if (options.length === 0) return void this.ended(true);
      this.clear(`Your move at ${this.text(this.shown)}`);
      const last = this.log[this.log.length - 1];
      this.say(`${last ? `${last}. ` : ""}It is your move at ${this.text(this.shown)}.`);
      const pick = (option) => {
        this.move(option, "You");
        this.programMoves();
      };
      const passes = options.filter(({ move }) => this.data.moves[move].pass);
      const buttons = passes.map((option) => element("button", { type: "button", onclick: () => pick(option) }, "Pass"));
      this.bar.replaceChildren(...buttons, this.stopButton("Stop playing"));
      this.showOptions(options.filter((option) => !passes.includes(option)), { values: false, pick });
      this.options.append(...this.logList());
      this.heading.focus();
    }

    // Whoever is to move cannot: yours says whether that is you.
    ended(yours) {
      const won = yours === this.solver.misere;
      const rule = this.solver.misere ? "whoever cannot move wins" : "whoever cannot move loses";
      this.clear(won ? "You win" : "The program wins");
      const last = this.log[this.log.length - 1];
      this.say(`${last ? `${last}. ` : ""}${yours ? "You have" : "The program has"} no move, and ${rule}: ${won ? "you win" : "the program wins"}.`);
      this.bar.replaceChildren(this.stopButton("Back to exploring"));
      this.options.append(...this.logList());
      this.heading.focus();
    }

    stopButton(text) {
      const stop = () => this.ask(this.solver.game.parameters, this.shown, { focus: true });
      return element("button", { type: "button", onclick: stop }, text);
    }

    logList() {
      if (this.log.length === 0) return [];
      const items = this.log.map((line) => element("li", {}, line));
      return [element("h4", {}, "The game so far"), element("ol", { class: "explorer-log" }, ...items)];
    }
  }

  for (const place of document.querySelectorAll(".explorer[data-game]")) {
    const script = games[place.dataset.game];
    if (script) new Explorer(place, script);
  }
})(globalThis);
