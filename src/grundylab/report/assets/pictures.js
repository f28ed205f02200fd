// The picture of a game's tables: any slice as SVG, in the papers' style, and the controls that choose it.
"use strict";
(() => {
  const CELL = 20, COLUMNS = 34, NUMBERED = 20, NONE = -1;
  const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
  const PLOT = { width: 640, height: 300 };
  const SWATCHES = 15, NAMED = 12;
  const OUTCOMES = [["p", "P-position: the player to move loses"], ["n", "N-position: the player to move wins"]];
  const SVG = "http://www.w3.org/2000/svg";

  function element(name, attributes = {}, ...children) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // -- slices ---------------------------------------------------------------------------------------------------

  /** Return the slice that a state shows: its sides, positions and values; a single row is broken into lines. */
  function slice(game, state) {
    const window = game.windows[state.window], { low, shape, values } = window;
    const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
    const axis = (name) => game.names.indexOf(name);
    let base = 0;
    for (const [name, value] of Object.entries(state.fixed)) base += (value - low[axis(name)]) * strides[axis(name)];
    const value = (place) => values.charCodeAt(place) - 48; // one letter per value, NONE before "0"
    const across = axis(state.across), down = axis(state.down);
    const single = state.down === null;
    const count = Math.min(shape[across], single ? state.line : state.side);
    const columns = Math.min(count, state.side);
    const rows = single ? Math.ceil(count / columns) : Math.min(shape[down], state.side);
    const lines = single && rows > 1;
    const at = single
      ? (row, column) => row * columns + column < count ? value(base + (row * columns + column) * strides[across]) : NONE
      : (row, column) => value(base + row * strides[down] + column * strides[across]);
    const cells = Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => at(row, column)));
    return {
      rows, columns, count, lines, low: low[across], at: (row, column) => cells[row][column],
      largest: Math.max(0, ...cells.flat()),
      firstRow: single ? low[across] : low[down], rowStep: single ? columns : 1, firstColumn: lines ? 0 : low[across],
      rowName: lines ? state.across : state.down,
    };
  }

  /** Call say(value, row, column) for each cell. */
  function each(cells, say) {
    for (let row = 0; row < cells.rows; row++)
      for (let column = 0; column < cells.columns; column++) say(cells.at(row, column), row, column);
  }

  /** Return a cell's position as texts name=value, in the order of the coordinates. */
  function position(game, state, cells, row, column) {
    const here = { ...state.fixed, [state.across]: cells.low + (state.down === null ? row * cells.columns : 0) + column };
    if (state.down !== null) here[state.down] = cells.firstRow + row;
    return game.names.map((name) => `${name}=${here[name]}`);
  }

  // -- colours --------------------------------------------------------------------------------------------------

  const topOf = (value) => Math.max(2 ** (value ? Math.floor(Math.log2(value)) + 1 : 0) - 1, 1);
  const shade = (game, value, top) => Math.floor((value - 1) * (game.scale.length - 1) / Math.max(top - 1, 1));

  // -- grids ----------------------------------------------------------------------------------------------------

  /** Return an SVG path around the cells that satisfy `is`: neighbours form one rectangle, with the edges between them. */
  function squares(cells, is) {
    let path = "";
    for (let row = 0; row < cells.rows; row++)
      for (let column = 0, width = 0; column <= cells.columns; column++) {
        if (column < cells.columns && is(cells.at(row, column))) width += 1;
        else if (width) {
          const edges = width > 1 ? `m1 0v1${"m1-1v1".repeat(width - 2)}` : "";
          path += `M${column - width} ${row}h${width}v1h-${width}z${edges}`;
          width = 0;
        }
      }
    return path;
  }

  const roundFrom = (least) => STEPS.find((step) => least <= step) ?? STEPS[STEPS.length - 1];
  const text = (x, y, words, more = {}) => element("text", { x, y, ...more }, String(words));

  /** Return the grid as SVG: of Grundy numbers on a scale up to `top`, or of P-positions without it. width: the space for the picture. */
  function grid(game, state, cells, top, width, label) {
    const { rows, columns } = cells, down = cells.rowName !== null;
    const usual = 11 * Math.max(1, columns / COLUMNS), scale = Math.min(1, width / (columns * CELL + 3 * usual));
    const letter = Math.round(Math.max(usual, 10 / scale) * 10) / 10, head = Math.round(1.7 * letter);
    const numberOf = (row) => cells.firstRow + row * cells.rowStep;
    const left = down ? Math.round(String(numberOf(rows - 1)).length * 0.62 * letter + letter) : 1;
    const svg = element("svg", { class: "grid", width: left + columns * CELL + 1, height: 2 * head + rows * CELL + 1,
      viewBox: `0 0 ${left + columns * CELL + 1} ${2 * head + rows * CELL + 1}`, role: "img", "aria-label": label });

    let ground = `M${left} ${head}h${columns * CELL}v${head}h-${columns * CELL}z`;
    if (down) ground += `M0 ${2 * head}h${left}v${rows * CELL}h-${left}z`;
    const names = cells.lines ? `${state.across} = row + column` : (down ? `${state.down} ↓  ` : "") + `${state.across} →`;
    const texts = element("g", { "font-size": letter }, text(1, 1.1 * letter, names, { class: "axes", "font-size": 1.2 * letter }));
    const digits = String(cells.firstColumn + columns - 1).length;
    const beside = roundFrom((digits * 0.62 + 0.4) * letter / CELL);
    for (let column = 0, number; column < columns; column++)
      if ((number = cells.firstColumn + column) % beside === 0)
        texts.append(text(left + (column + 0.5) * CELL, 1.5 * head + 0.35 * letter, number));
    const below = cells.lines ? Math.ceil(1.1 * letter / CELL) : roundFrom(1.1 * letter / CELL);
    for (let row = 0; down && row < rows; row++)
      if ((cells.lines ? row : numberOf(row)) % below === 0)
        texts.append(text(left / 2, 2 * head + (row + 0.5) * CELL + 0.35 * letter, numberOf(row)));

    const corner = `translate(${left} ${2 * head})`;
    const group = element("g", { class: "cells", transform: `${corner} scale(${CELL})` });
    if (top === null) group.append(element("path", { class: "n", d: squares(cells, (value) => value > 0) }));
    group.append(element("path", { class: "p", d: squares(cells, (value) => value === 0) }));
    if (top !== null)
      game.scale.forEach((fill, number) => {
        const d = squares(cells, (value) => value > 0 && shade(game, value, top) === number);
        if (d) group.append(element("path", { fill, d }));
      });
    svg.append(element("path", { class: "head", d: ground }), texts, group);
    if (top !== null && columns <= NUMBERED) svg.append(written(game, cells, top, corner));
    return svg;
  }

  function written(game, cells, top, transform) {
    const group = element("g", { class: "numbers", "font-size": cells.largest < 100 ? 11 : 8, transform });
    each(cells, (value, row, column) => {
      if (value === NONE) return;
      const made = text((column + 0.5) * CELL, (row + 0.5) * CELL + 0.35 * (cells.largest < 100 ? 11 : 8), value);
      if (value) made.style.fill = shade(game, value, top) < game.dark ? "#fff" : "#000";
      group.append(made);
    });
    return group;
  }

  /** Return the Grundy numbers of one row as points of a plot. */
  function plot(state, cells, label, room) {
    const { width, height } = PLOT, most = Math.max(cells.largest, 1), last = Math.max(cells.count - 1, 1);
    const letter = Math.max(11, 10 * width / Math.min(width, room));
    const left = 4 * letter, below = 3 * letter;
    const across = (width - left - 10) / last, up = (height - 2.2 * letter - below) / most;
    const x = (place) => (left + place * across).toFixed(1), y = (value) => height - below - value * up;
    let points = "", rules = "";
    each(cells, (value, row, column) => {
      if (value !== NONE) points += `M${x(row * cells.columns + column)} ${y(value).toFixed(1)}h0`;
    });
    const texts = element("g", { "font-size": letter });
    const high = roundFrom(most / 6), wide = roundFrom(last / Math.ceil(12 * 11 / letter));
    for (let value = 0; value <= most; value += high) {
      rules += `M${left} ${y(value).toFixed(1)}H${width - 10}`;
      texts.append(text(left - 6, (y(value) + 0.36 * letter).toFixed(1), value, { class: "side" }));
    }
    for (let number = Math.ceil(cells.low / wide) * wide; number <= cells.low + last; number += wide)
      texts.append(text(x(number - cells.low), height - below + 1.5 * letter, number));
    texts.append(text(1, 1.2 * letter, `Grundy number ↑  ${state.across} →`, { class: "axes" }));
    return element("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": label, "data-left": left }, element("path", { class: "rules", d: rules }),
    element("path", { class: "points", d: points }), texts);
  }

  // -- words ----------------------------------------------------------------------------------------------------

  function describe(game, state, cells, shows) {
    const fixed = game.names.filter((name) => name in state.fixed).map((name) => `${name}=${state.fixed[name]}`);
    const span = (name, first, count) => `${name} from ${first} to ${first + count - 1}`;
    const what = [game.windows[state.window].subject, ...fixed].join(", ") + ": " + (state.down === null
      ? span(state.across, cells.low, cells.count)
      : `${span(state.across, cells.low, cells.columns)} across, ${span(state.down, cells.firstRow, cells.rows)} down`);
    if (shows !== "p") return `Grundy numbers of ${what}. They range from 0 to ${cells.largest}.`;
    const found = [];
    let positions = 0;
    each(cells, (value, row, column) => {
      positions += value !== NONE;
      if (value === 0) found.push(`(${position(game, state, cells, row, column).join(", ")})`);
    });
    const list = found.length ? `: ${found.slice(0, NAMED).join(", ")}${found.length > NAMED ? ", …" : ""}` : "";
    return `P-positions of ${what}. ${found.length} of ${positions} positions are P-positions${list}.`;
  }

  /** Return a cell's position and value in words. */
  function told(game, state, cells, row, column) {
    const value = cells.at(row, column), where = position(game, state, cells, row, column).join(", ");
    if (value === NONE) return `${where}: no position`;
    const known = game.windows[state.window].kind === "grundy" ? `, Grundy number ${value}` : "";
    return `${where}: ${value === 0 ? "P-position" : "N-position"}${known}`;
  }

  /** Return the legend, as pairs [class or colour, words]. top: the end of the colour scale, or null for outcomes. */
  function legend(list, game, top) {
    const some = top <= SWATCHES ? [...Array(top + 1).keys()] : [0, 1, ...[1, 2, 3, 4, 5, 6].map((i) => Math.floor(top * i / 6))];
    const items = top === null ? OUTCOMES : [...new Set(some)].map((number) => [number ? game.scale[shade(game, number, top)] : "p", String(number)]);
    list.replaceChildren(...items.map(([look, words]) => {
      const swatch = document.createElement("span"), item = document.createElement("li");
      if (look.startsWith("#")) swatch.style.background = look;
      else swatch.className = look;
      item.append(swatch, words);
      return item;
    }));
  }

  // -- controls -------------------------------------------------------------------------------------------------

  function field(form, words, control, changed, ...more) {
    control.id = `pictures-${form.elements.length}`;
    const label = Object.assign(document.createElement("label"), { htmlFor: control.id, textContent: words });
    const both = Object.assign(document.createElement("div"), { className: "field" });
    both.append(label, control, ...more);
    control.addEventListener("input", changed);
    form.append(both);
    return both;
  }

  function choice(form, words, options, chosen, changed) {
    const select = document.createElement("select");
    options.forEach(([value, name]) => select.add(new Option(name, value, false, value === chosen)));
    field(form, words, select, () => changed(select.value));
  }

  function slider(form, words, min, max, value, changed) {
    const input = Object.assign(document.createElement("input"), { type: "range", min, max });
    input.value = value;
    const shown = Object.assign(document.createElement("span"), { className: "value", textContent: value });
    field(form, words, input, () => { // no <output>: the slider announces its value itself
      shown.textContent = input.value;
      changed(Number(input.value));
    }, shown);
  }

  function toggle(form, words, checked, changed) {
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked });
    field(form, words, box, () => changed(box.checked)).classList.add("toggle");
  }

  /** Return the form for a state. A change that needs other controls builds the form again and keeps the focus. */
  function controls(form, game, state, redraw) {
    const { low, shape } = game.windows[state.window], axis = (name) => game.names.indexOf(name);
    const set = (values) => { Object.assign(state, values); redraw(); };
    const renew = () => {
      const focused = document.activeElement.id;
      settle(game, state);
      controls(form, game, state, redraw);
      document.getElementById(focused)?.focus();
      redraw();
    };
    form.replaceChildren();
    if (game.windows[state.window].kind === "grundy") {
      const shown = [["p", "P-positions"], ["grundy", "Grundy numbers"]];
      if (state.down === null) shown.push(["plot", "Grundy numbers as points"]);
      choice(form, "Show", shown, state.shows, (shows) => set({ shows }));
    }
    if (game.windows.length > 1)
      choice(form, "Parameters", game.windows.map((w, i) => [String(i), w.label]), String(state.window), (value) => {
        state.window = Number(value);
        renew();
      });
    if (game.names.length > 1) {
      const pick = (one, other) => (name) => {
        if (state[other] === name) state[other] = state[one];
        state[one] = name;
        renew();
      };
      const names = game.names.map((name) => [name, name]);
      choice(form, "Down", names, state.down, pick("down", "across"));
      choice(form, "Across", names, state.across, pick("across", "down"));
    }
    for (const name of game.names.filter((one) => one in state.fixed)) {
      const least = low[axis(name)], most = least + shape[axis(name)] - 1;
      const fix = (value) => set({ fixed: { ...state.fixed, [name]: Number(value) } });
      if (least === 0 && most === 1)
        toggle(form, name === game.pass ? `Pass still available (${name} = 1)` : `${name} = 1`, state.fixed[name] === 1, fix);
      else if (most > least) slider(form, name, least, most, state.fixed[name], fix);
    }
    const longest = longestSide(game, state);
    if (longest > 4)
      slider(form, state.down === null ? "Cells in a line" : "Cells a side", 2, Math.min(longest, 128), state.side,
        (side) => set({ side }));
  }

  function longestSide(game, state) {
    const sides = game.names.map((name, axis) => name in state.fixed ? 0 : game.windows[state.window].shape[axis]);
    return Math.max(...sides);
  }

  /** Return the state adapted to its window: each coordinate that is no axis has a value, by default a typical one. */
  function settle(game, state) {
    const { low, shape } = game.windows[state.window], fixed = {};
    game.names.forEach((name, axis) => {
      if (name === state.down || name === state.across) return;
      const size = shape[axis], value = state.fixed[name] ?? low[axis] + (size === 2 ? 1 : Math.floor(size / 4));
      fixed[name] = Math.min(Math.max(value, low[axis]), low[axis] + size - 1);
    });
    state.fixed = fixed;
    if (game.windows[state.window].kind !== "grundy") state.shows = "p";
    state.side = Math.min(state.side, longestSide(game, state));
  }

  // -- the stage ------------------------------------------------------------------------------------------------

  /** Return the cell under a pointer, or null. */
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
    const row = Math.floor(point.y), column = Math.floor(point.x);
    return row < 0 || row >= cells.rows || column < 0 || column >= cells.columns ? null : [row, column];
  }

  function mark(svg, cell) {
    svg.querySelector(".mark")?.remove();
    if (cell) svg.querySelector(".cells")?.append(element("rect", { class: "mark", x: cell[1], y: cell[0], width: 1, height: 1 }));
  }

  const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  /** The picture of one ruleset, with its state and the selected cell. */
  class Stage {
    constructor(root, game) {
      this.game = game;
      this.said = root.querySelector(".told");
      this.canvas = root.querySelector(".canvas");
      this.legend = root.querySelector(".legend");
      this.setting = root.querySelector(".setting");
      this.state = { window: game.start, shows: game.shows, ...game.view, ...game.shown };
      this.cell = null;
      this.kept = false; // a clicked cell stays selected until another is clicked
      this.explorer = document.querySelector(".explorer[data-game]");
      this.link = Object.assign(document.createElement("a"), { textContent: "Open in the explorer" });
      this.link.addEventListener("click", () => this.explorer.scrollIntoView());
      this.listen();
      const form = root.querySelector(".controls");
      form.addEventListener("submit", (event) => event.preventDefault());
      settle(game, this.state);
      controls(form, game, this.state, () => this.draw());
      form.hidden = false;
      let width = root.clientWidth;
      new ResizeObserver(() => {
        if (root.clientWidth === width) return;
        width = root.clientWidth;
        this.draw();
      }).observe(root);
      this.draw();
    }

    draw() {
      const { game, state, canvas } = this, cells = this.cells = slice(game, state);
      if (this.cell && (this.cell[0] >= cells.rows || this.cell[1] >= cells.columns)) this.cell = null;
      const label = describe(game, state, cells, state.shows), width = canvas.clientWidth || 640;
      const top = state.shows === "grundy" ? topOf(cells.largest) : null;
      canvas.replaceChildren(state.shows === "plot" ? plot(state, cells, label, width) : grid(game, state, cells, top, width, label));
      legend(this.legend, game, top);
      if (this.setting) this.setting.textContent = game.windows[state.window].label;
      this.legend.hidden = state.shows === "plot";
      this.point(this.cell);
    }

    /** Mark a cell, and describe it. */
    point(cell) {
      const { game, state, cells } = this;
      this.cell = cell;
      mark(this.canvas.firstElementChild, cell);
      const help = "Point at a cell, or move with the arrow keys." + (this.explorer ? " Click to select it." : "");
      this.said.textContent = cell ? told(game, state, cells, ...cell) : help;
      if (!this.explorer || !cell || cells.at(...cell) === NONE) return;
      this.link.href = `#explore:${[...game.windows[state.window].parameters, ...position(game, state, cells, ...cell)].join(",")}`;
      this.said.append(" ", this.link);
    }

    listen() {
      const { canvas } = this;
      canvas.tabIndex = 0;
      canvas.setAttribute("role", "group");
      canvas.setAttribute("aria-label", "The picture: arrow keys move from cell to cell");
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

  /** Decode text that was compressed (zlib) and encoded in base64. */
  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  }

  async function begin(root) {
    const game = window.grundylabPictures?.[root.dataset.ruleset];
    if (!game) return;
    for (const table of game.windows) table.values = await unpacked(table.values);
    new Stage(root, game);
  }

  document.querySelectorAll(".pictures").forEach(begin);
})();
