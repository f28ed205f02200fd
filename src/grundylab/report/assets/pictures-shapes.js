// Slices of a game's tables, and their shapes as SVG: those that report/svg.py and report/plot.py draw.
"use strict";
window.grundylabShapes = (() => {
  const CELL = 20, COLUMNS = 34, NUMBERED = 20, NONE = -1;
  const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
  const PLOT = { width: 640, height: 300 };
  const SVG = "http://www.w3.org/2000/svg";

  // -- tables ---------------------------------------------------------------------------------------------------

  /** The values of a window in order, NONE where there is no position. */
  function unpacked(window) {
    const bytes = Uint8Array.from(atob(window.data), (letter) => letter.charCodeAt(0));
    const count = window.shape.reduce((a, b) => a * b, 1), nothing = (1 << window.bits) - 1;
    const values = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const value = window.bits === 2 ? (bytes[i >> 2] >> (2 * (i & 3))) & 3
        : window.bits === 8 ? bytes[i] : bytes[2 * i] | (bytes[2 * i + 1] << 8);
      values[i] = value === nothing ? NONE : value;
    }
    return values;
  }

  /** The slice that a state shows, as at(row, column) with its sides. */
  function slice(game, state) {
    const window = game.windows[state.window];
    window.values ||= unpacked(window);
    const strides = window.shape.map((_, axis) => window.shape.slice(axis + 1).reduce((a, b) => a * b, 1));
    const place = (name) => game.names.indexOf(name);
    let base = 0;
    game.names.forEach((name, axis) => {
      if (name in state.fixed) base += (state.fixed[name] - window.low[axis]) * strides[axis];
    });
    const across = place(state.across);
    const columns = window.shape[across], low = window.low[across];
    if (state.down === null) return line(window.values, base, strides[across], columns, low, state);
    const down = place(state.down);
    return {
      rows: Math.min(window.shape[down], state.side), columns: Math.min(columns, state.side),
      firstRow: window.low[down], firstColumn: low, rowStep: 1, rowName: state.down, columnName: state.across,
      at: (row, column) => window.values[base + row * strides[down] + column * strides[across]],
    };
  }

  /** One row of values as lines of cells. */
  function line(values, base, stride, length, low, state) {
    const count = Math.min(length, state.line), columns = Math.min(count, state.side);
    const rows = Math.ceil(count / columns);
    return {
      rows, columns, count, firstRow: rows > 1 ? low : 0, firstColumn: rows > 1 ? 0 : low, rowStep: columns,
      rowName: rows > 1 ? state.across : null, columnName: rows > 1 ? "+" : state.across, low,
      at: (row, column) => row * columns + column < count ? values[base + (row * columns + column) * stride] : NONE,
    };
  }

  function largest(cells) {
    let found = 0;
    for (let row = 0; row < cells.rows; row++)
      for (let column = 0; column < cells.columns; column++) found = Math.max(found, cells.at(row, column));
    return found;
  }

  // -- colours --------------------------------------------------------------------------------------------------

  const topOf = (value) => Math.max(2 ** (value ? Math.floor(Math.log2(value)) + 1 : 0) - 1, 1);
  const shade = (game, value, top) => Math.floor((value - 1) * (game.scale.length - 1) / Math.max(top - 1, 1));

  function isDark(colour) {
    const linear = [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16) / 255)
      .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] < 0.179;
  }

  // -- shapes ---------------------------------------------------------------------------------------------------

  function runsOf(length, is, say) {
    for (let place = 0; place < length; place++) {
      if (!is(place)) continue;
      const start = place;
      while (place < length && is(place)) place++;
      say(start, place - start);
    }
  }

  /** The cells for which `is` as a path, those beside one another as one rectangle. */
  function runs(cells, is) {
    const parts = [];
    for (let row = 0; row < cells.rows; row++)
      runsOf(cells.columns, (column) => is(cells.at(row, column)), (start, length) => parts.push(
        `M${start * CELL} ${row * CELL}h${length * CELL}v${CELL}h-${length * CELL}z`));
    return parts.join("");
  }

  /** The frames of all positions as a path. */
  function frames(cells) {
    const there = (row, column) => row >= 0 && row < cells.rows && column >= 0 && column < cells.columns
      && cells.at(row, column) !== NONE;
    const parts = [];
    for (let row = 0; row <= cells.rows; row++)
      runsOf(cells.columns, (column) => there(row - 1, column) || there(row, column),
        (start, length) => parts.push(`M${start * CELL} ${row * CELL}h${length * CELL}`));
    for (let column = 0; column <= cells.columns; column++)
      runsOf(cells.rows, (row) => there(row, column - 1) || there(row, column),
        (start, length) => parts.push(`M${column * CELL} ${start * CELL}v${length * CELL}`));
    return parts.join("");
  }

  function element(name, attributes = {}, ...children) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  const tickStep = (room) => STEPS.find((step) => room <= step * CELL) ?? STEPS[STEPS.length - 1];
  const rowAt = (cells, row) => cells.firstRow + row * cells.rowStep;

  /** Where the first cell's corner is, for letters of a height. */
  function layout(cells, letter) {
    const digits = cells.rowName === null ? 0 : String(rowAt(cells, cells.rows - 1)).length;
    const head = Math.round(1.7 * letter);
    return { letter, head, left: digits ? Math.round(digits * 0.62 * letter + letter) : 1, top: head + head };
  }

  /** The usual layout, or one with larger letters if they would be hard to read at this width (in pixels). */
  function fitting(cells, width) {
    const usual = 11 * Math.max(1, cells.columns / COLUMNS);
    const scale = Math.min(1, width / (cells.columns * CELL + 3 * usual));
    return layout(cells, Math.round(Math.max(usual, 10 / scale) * 10) / 10);
  }

  function axes(cells, { letter, left, top, head }) {
    const { rows, columns } = cells;
    const names = cells.columnName === "+" ? `${cells.rowName} = row + column`
      : (cells.rowName === null ? "" : `${cells.rowName} ↓  `) + `${cells.columnName} →`;
    let ground = `M${left} ${top - head}h${columns * CELL}v${head}h-${columns * CELL}z`;
    if (cells.rowName !== null) ground += `M0 ${top}h${left}v${rows * CELL}h-${left}z`;
    const texts = element("g", { "font-size": letter });
    texts.append(element("text", { class: "axes", x: 1, y: 1.1 * letter, "font-size": 1.2 * letter }, names));
    const digits = String(cells.firstColumn + columns - 1).length;
    let step = tickStep(digits * 0.62 * letter + 0.4 * letter);
    for (let i = 0; i < columns; i++)
      if ((cells.firstColumn + i) % step === 0)
        texts.append(element("text", { x: left + i * CELL + CELL / 2, y: top - 0.5 * head + 0.35 * letter },
          String(cells.firstColumn + i)));
    step = cells.columnName === "+" ? cells.rowStep * Math.max(1, Math.ceil(1.1 * letter / CELL)) : tickStep(1.1 * letter);
    for (let i = 0; cells.rowName !== null && i < rows; i++)
      if ((rowAt(cells, i) - (cells.columnName === "+" ? cells.firstRow : 0)) % step === 0)
        texts.append(element("text", { x: left / 2, y: top + i * CELL + CELL / 2 + 0.35 * letter },
          String(rowAt(cells, i))));
    return [element("path", { class: "head", d: ground }), texts];
  }

  /** The grid as SVG: P-positions, or with a top Grundy numbers. */
  function grid(game, cells, top, width, label) {
    const space = fitting(cells, width);
    const across = space.left + cells.columns * CELL + 1, down = space.top + cells.rows * CELL + 1;
    const svg = element("svg", { class: "grid", viewBox: `0 0 ${across} ${down}`, width: across, height: down,
      role: "img", "aria-label": label });
    const group = element("g", { class: "cells", transform: `translate(${space.left} ${space.top})` });
    if (top === null) {
      group.append(element("path", { class: "n", d: runs(cells, (value) => value > 0) }));
      group.append(element("path", { class: "p", d: runs(cells, (value) => value === 0) }));
    } else {
      group.append(element("path", { class: "p", d: runs(cells, (value) => value === 0) }));
      game.scale.forEach((colour, number) => {
        const d = runs(cells, (value) => value > 0 && shade(game, value, top) === number);
        if (d) group.append(element("path", { fill: colour, d }));
      });
      if (cells.columns <= NUMBERED) group.append(written(game, cells, top));
    }
    group.append(element("path", { class: "lines", d: frames(cells) }));
    svg.append(...axes(cells, space), group);
    return svg;
  }

  function written(game, cells, top) {
    const letter = largest(cells) < 100 ? 11 : 8;
    const group = element("g", { class: "numbers", "font-size": letter });
    for (let row = 0; row < cells.rows; row++)
      for (let column = 0; column < cells.columns; column++) {
        const value = cells.at(row, column);
        if (value === NONE) continue;
        const text = element("text", { x: column * CELL + CELL / 2, y: row * CELL + CELL / 2 + 0.35 * letter },
          String(value));
        if (value) text.style.fill = isDark(game.scale[shade(game, value, top)]) ? "#fff" : "#000";
        group.append(text);
      }
    return group;
  }

  /** Grundy numbers of one row as points. */
  function plot(cells, label, room) {
    const { width, height } = PLOT, most = Math.max(largest(cells), 1), count = cells.count;
    const letter = Math.max(11, 10 * width / Math.min(width, room)), crowd = 11 / letter;
    const left = 4 * letter, top = 2.2 * letter, below = 3 * letter;
    const across = (width - left - 10) / Math.max(count - 1, 1), up = (height - top - below) / most;
    const x = (number) => (left + (number - cells.low) * across).toFixed(1);
    const y = (value) => height - below - value * up;
    const ticks = (first, last, wanted) => {
      const step = STEPS.find((size) => last - first <= size * wanted) ?? STEPS[STEPS.length - 1];
      const found = [];
      for (let n = Math.ceil(first / step) * step; n <= last; n += step) found.push(n);
      return found;
    };
    let points = "", rules = "";
    for (let i = 0; i < count; i++) {
      const value = cells.at(Math.floor(i / cells.columns), i % cells.columns);
      if (value !== NONE) points += `M${x(cells.low + i)} ${y(value).toFixed(1)}h0`;
    }
    const texts = element("g", { "font-size": letter });
    for (const value of ticks(0, most, 6)) {
      rules += `M${left} ${y(value).toFixed(1)}H${width - 10}`;
      texts.append(element("text", { class: "side", x: left - 6, y: (y(value) + 0.36 * letter).toFixed(1) }, String(value)));
    }
    for (const number of ticks(cells.low, cells.low + Math.max(count - 1, 1), Math.ceil(12 * crowd)))
      texts.append(element("text", { x: x(number), y: height - below + 1.5 * letter }, String(number)));
    const name = cells.rowName ?? cells.columnName;
    texts.append(element("text", { class: "axes", x: 1, y: 1.2 * letter }, `Grundy number ↑  ${name} →`));
    return element("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": label, "data-left": left }, element("path", { class: "rules", d: rules }),
    element("path", { class: "points", d: points }), texts);
  }

  return { CELL, NONE, PLOT, slice, largest, topOf, shade, element, grid, plot };
})();
