// Pictures of a game's tables: the controls that choose a slice, and what is said of it. pictures-shapes.js runs before it.
"use strict";
(() => {
  const SWATCHES = 15, NAMED = 12; // as in report/site/pictures.py and report/svg.py
  let identifiers = 0;
  const { CELL, NONE, PLOT, slice, largest, topOf, shade, element, grid, plot } = window.grundylabShapes;

  // -- words ----------------------------------------------------------------------------------------------------

  function subject(game, state) {
    const fixed = game.names.filter((name) => name in state.fixed).map((name) => `${name}=${state.fixed[name]}`);
    return [game.windows[state.window].subject, ...fixed].join(", ");
  }

  function describe(game, state, cells, shows) {
    const across = cells.columnName === "+" || cells.rowName === null
      ? `${state.across} from ${cells.low} to ${cells.low + cells.count - 1}`
      : `${state.across} from ${cells.firstColumn} to ${cells.firstColumn + cells.columns - 1} across, `
        + `${state.down} from ${cells.firstRow} to ${cells.firstRow + cells.rows - 1} down`;
    const what = subject(game, state);
    if (shows !== "p") return `Grundy numbers of ${what}: ${across}. They are from 0 to ${largest(cells)}.`;
    const named = [];
    let positions = 0, found = 0;
    for (let row = 0; row < cells.rows; row++)
      for (let column = 0; column < cells.columns; column++) {
        const value = cells.at(row, column);
        positions += value !== NONE;
        if (value === 0 && ++found <= NAMED) named.push(`(${place(state, cells, row, column)})`);
      }
    const list = named.length ? `: ${named.join(", ")}${found > NAMED ? ", …" : ""}` : "";
    return `P-positions of ${what}: ${across}. ${found} of ${positions} positions are P-positions${list}.`;
  }

  function place(state, cells, row, column) {
    if (state.down === null) return `${state.across}=${cells.low + row * cells.columns + column}`;
    return `${state.down}=${cells.firstRow + row}, ${state.across}=${cells.firstColumn + column}`;
  }

  /** A cell's position as name=value, in the order of the coordinates. */
  function positionOf(game, state, cells, row, column) {
    const along = place(state, cells, row, column).split(", ");
    return game.names.map((name) => along.find((one) => one.startsWith(`${name}=`)) ?? `${name}=${state.fixed[name]}`);
  }

  /** A cell's position and value in words. */
  function told(game, state, cells, row, column) {
    const value = cells.at(row, column);
    const where = positionOf(game, state, cells, row, column).join(", ");
    if (value === NONE) return `${where}: no position`;
    const outcome = value === 0 ? "P-position" : "N-position";
    return `${where}: ${outcome}`
      + (game.windows[state.window].kind === "grundy" ? `, Grundy number ${value}` : "");
  }

  // -- controls -------------------------------------------------------------------------------------------------

  function field(form, text, control) {
    control.id = `pictures-${++identifiers}`;
    const label = document.createElement("label");
    label.htmlFor = control.id;
    label.textContent = text;
    const both = document.createElement("div");
    both.className = "field";
    both.append(label, control);
    form.append(both);
    return both;
  }

  function choice(form, text, options, chosen, changed) {
    const select = document.createElement("select");
    options.forEach(([value, name]) => select.add(new Option(name, value, false, value === chosen)));
    select.addEventListener("change", () => changed(select.value));
    field(form, text, select);
  }

  function slider(form, text, low, high, value, changed) {
    const input = Object.assign(document.createElement("input"), { type: "range", min: low, max: high, step: 1 });
    input.value = value;
    const shown = document.createElement("span"); // no <output>: the slider itself tells its value
    shown.className = "value";
    shown.textContent = value;
    input.addEventListener("input", () => {
      shown.textContent = input.value;
      changed(Number(input.value));
    });
    field(form, text, input).append(shown);
  }

  function toggle(form, text, on, changed) {
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: on });
    box.addEventListener("change", () => changed(box.checked));
    field(form, text, box).classList.add("toggle");
  }

  /** The form for a state; after a change that needs other controls it is made anew, with the focus kept. */
  function controls(form, game, state, redraw) {
    const window = game.windows[state.window];
    const renew = () => {
      const focused = [...form.elements].indexOf(document.activeElement);
      controls(form, game, state, redraw);
      form.elements[focused]?.focus();
      redraw();
    };
    form.replaceChildren();
    if (game.windows.length > 1)
      choice(form, "Parameters", game.windows.map((w, i) => [String(i), w.label]), String(state.window), (value) => {
        state.window = Number(value);
        settle(game, state);
        renew();
      });
    if (game.names.length > 1) {
      const names = game.names.map((name) => [name, name]);
      const pick = (axis, other) => (name) => {
        if (state[other] === name) state[other] = state[axis];
        else state.fixed[state[axis]] = typical(game, state, state[axis]);
        state[axis] = name;
        settle(game, state);
        renew();
      };
      choice(form, "Down", names, state.down, pick("down", "across"));
      choice(form, "Across", names, state.across, pick("across", "down"));
    }
    for (const name of game.names.filter((each) => each in state.fixed)) {
      const axis = game.names.indexOf(name), low = window.low[axis], high = low + window.shape[axis] - 1;
      const set = (value) => {
        state.fixed[name] = value;
        redraw();
      };
      if (low === 0 && high === 1)
        toggle(form, name === game.pass ? `Pass still available (${name} = 1)` : `${name} = 1`,
          state.fixed[name] === 1, (on) => set(on ? 1 : 0));
      else if (high > low) slider(form, name, low, high, state.fixed[name], set);
    }
    const longest = Math.max(...[state.down, state.across].filter((name) => name !== null)
      .map((name) => window.shape[game.names.indexOf(name)]));
    if (longest > 4)
      slider(form, state.down === null ? "Cells in a line" : "Cells a side", 2, Math.min(longest, 128), state.side,
        (value) => {
          state.side = value;
          redraw();
        });
  }

  const typical = (game, state, name) => {
    const axis = game.names.indexOf(name), { low, shape } = game.windows[state.window];
    return low[axis] + (shape[axis] === 2 ? 1 : Math.floor(shape[axis] / 4));
  };

  /** The state made to fit its window: a value for each coordinate that is no axis, within its range. */
  function settle(game, state) {
    const { low, shape } = game.windows[state.window];
    game.names.forEach((name, axis) => {
      if (name === state.down || name === state.across) delete state.fixed[name];
      else {
        const value = state.fixed[name] ?? typical(game, state, name);
        state.fixed[name] = Math.min(Math.max(value, low[axis]), low[axis] + shape[axis] - 1);
      }
    });
    const sides = [state.down, state.across].filter((name) => name !== null)
      .map((name) => shape[game.names.indexOf(name)]);
    state.side = Math.min(state.side, Math.max(...sides));
  }

  // -- the stage ------------------------------------------------------------------------------------------------

  function legend(list, game, top) {
    const all = top <= SWATCHES;
    const numbers = all ? [...Array(top + 1).keys()] : [0, 1, ...[1, 2, 3, 4, 5, 6].map((i) => Math.floor(top * i / 6))];
    list.replaceChildren(...[...new Set(numbers)].map((number) => {
      const item = document.createElement("li");
      const patch = element("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" }, element("path",
        { d: "M0 0h12v12H0z", ...(number ? { fill: game.scale[shade(game, number, top)] } : { class: "p" }) }));
      item.append(patch, String(number));
      return item;
    }));
    list.hidden = false;
  }

  /** The cell under a pointer, or null. */
  function under(svg, event, cells) {
    const group = svg.querySelector(".cells");
    const matrix = (group ?? svg).getScreenCTM()?.inverse();
    if (!matrix) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    if (!group) { // points: the nearest place of the row
      const left = Number(svg.dataset.left);
      const i = Math.round((point.x - left) / ((PLOT.width - left - 10) / Math.max(cells.count - 1, 1)));
      return i < 0 || i >= cells.count ? null : [Math.floor(i / cells.columns), i % cells.columns];
    }
    const row = Math.floor(point.y / CELL), column = Math.floor(point.x / CELL);
    return row < 0 || row >= cells.rows || column < 0 || column >= cells.columns ? null : [row, column];
  }

  function mark(svg, cell) {
    svg.querySelector(".mark")?.remove();
    const group = svg.querySelector(".cells");
    if (cell && group)
      group.append(element("rect", { class: "mark", x: cell[1] * CELL, y: cell[0] * CELL, width: CELL, height: CELL }));
  }

  const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  /** The pictures of one ruleset: what they show, and the cell that is pointed at. */
  class Stage {
    constructor(stage, game) {
      this.stage = stage;
      this.game = game;
      this.said = stage.querySelector(".told");
      this.panes = [...stage.querySelectorAll(".pane")];
      this.state = { window: game.start, down: game.view.down, across: game.view.across,
        fixed: { ...game.view.fixed }, side: game.shown.side, line: game.shown.line };
      this.cell = null;
      this.kept = false; // a cell that was clicked is kept until another is
      this.explorer = document.querySelector(".explorer[data-game]");
      this.link = document.createElement("a");
      this.link.textContent = "Look at it in the explorer";
      this.link.addEventListener("click", () => this.explorer.scrollIntoView());
      this.panes.forEach((pane) => this.listen(pane));
      this.begin();
    }

    begin() {
      const form = this.stage.querySelector(".controls");
      form.addEventListener("submit", (event) => event.preventDefault());
      settle(this.game, this.state);
      controls(form, this.game, this.state, () => this.draw());
      form.hidden = false;
      this.draw();
      let width = this.stage.clientWidth;
      new ResizeObserver(() => {
        if (this.stage.clientWidth === width) return;
        width = this.stage.clientWidth;
        this.draw();
      }).observe(this.stage);
    }

    draw() {
      const { game, state } = this, cells = this.cells = slice(game, state);
      if (this.cell && (this.cell[0] >= cells.rows || this.cell[1] >= cells.columns)) this.cell = null;
      const known = game.windows[state.window].kind === "grundy";
      for (const pane of this.panes) {
        const { shows } = pane.dataset, canvas = pane.querySelector(".canvas");
        pane.hidden = shows !== "p" && !known;
        if (pane.hidden) continue;
        const label = describe(game, state, cells, shows), width = canvas.clientWidth || 640;
        const top = shows === "grundy" ? topOf(largest(cells)) : null;
        canvas.replaceChildren(shows === "plot" ? plot(cells, label, width) : grid(game, cells, top, width, label));
        if (top !== null) legend(pane.querySelector(".legend"), game, top);
      }
      this.point(this.cell);
    }

    /** Mark a cell, and say what is there. */
    point(cell) {
      const { game, state, cells } = this;
      this.cell = cell;
      for (const pane of this.panes) mark(pane.querySelector(".canvas svg"), cell);
      const help = "Point at a cell, or move with the arrow keys." + (this.explorer ? " Click to keep it." : "");
      this.said.textContent = cell ? told(game, state, cells, ...cell) : help;
      if (!this.explorer || !cell || cells.at(...cell) === NONE) return;
      const position = positionOf(game, state, cells, ...cell);
      this.link.href = `#explore:${[...game.windows[state.window].parameters, ...position].join(",")}`;
      this.said.append(" ", this.link);
    }

    listen(pane) {
      const canvas = pane.querySelector(".canvas"), name = pane.querySelector("figcaption").textContent;
      canvas.tabIndex = 0;
      canvas.setAttribute("role", "group");
      canvas.setAttribute("aria-label", `${name}: arrow keys move from cell to cell`);
      canvas.addEventListener("pointermove", (event) => {
        if (!this.kept) this.point(under(canvas.firstElementChild, event, this.cells));
      });
      canvas.addEventListener("click", (event) => {
        const at = under(canvas.firstElementChild, event, this.cells), { cell } = this;
        this.kept = at !== null && !(this.kept && cell && at[0] === cell[0] && at[1] === cell[1]);
        this.point(at);
      });
      canvas.addEventListener("keydown", (event) => this.key(event));
    }

    key(event) {
      if (event.key === "Enter" && this.link.isConnected) this.link.click();
      const by = MOVES[event.key], { cell, cells } = this;
      if (!by) return;
      event.preventDefault();
      this.kept = true;
      const within = (value, size) => Math.min(Math.max(value, 0), size - 1);
      this.point(cell ? [within(cell[0] + by[0], cells.rows), within(cell[1] + by[1], cells.columns)] : [0, 0]);
    }
  }

  function startAll() {
    for (const root of document.querySelectorAll(".pictures")) {
      const game = window.grundylabPictures?.[root.dataset.ruleset];
      const stage = root.querySelector(".stage");
      if (game && stage) new Stage(stage, game);
    }
  }

  if (document.readyState === "complete") startAll();
  else document.addEventListener("DOMContentLoaded", startAll);
})();
