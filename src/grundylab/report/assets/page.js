"use strict";
/* The list's filter and order, which the page's address contains; the theme; copying; scrolling. Without scripts all entries are shown. */
(function () {
  const byId = (id) => document.getElementById(id);

  /* -- theme ------------------------------------------------------------------------------------------------ */

  const themes = { "": "system", light: "light", dark: "dark" };

  function setUpTheme() {
    const button = byId("theme");
    const root = document.documentElement;
    const show = () => { button.textContent = `Theme: ${themes[root.dataset.theme || ""]}`; };
    button.hidden = false;
    show();
    button.addEventListener("click", () => {
      const names = Object.keys(themes);
      const next = names[(names.indexOf(root.dataset.theme || "") + 1) % names.length];
      if (next) root.dataset.theme = next;
      else delete root.dataset.theme;
      try {
        localStorage.setItem("grundylab-theme", next);
      } catch {
        /* without storage, the choice lasts until the page is left */
      }
      show();
    });
  }

  /* -- copying ---------------------------------------------------------------------------------------------- */

  function setUpCopying() {
    for (const group of document.querySelectorAll(".copies")) group.hidden = false;
    document.addEventListener("click", async (event) => {
      const button = event.target.closest("button[data-copy]");
      if (!button) return;
      button.dataset.label ??= button.textContent;
      try {
        await navigator.clipboard.writeText(button.dataset.copy);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not copied";
      }
      setTimeout(() => { button.textContent = button.dataset.label; }, 1500);
    });
  }

  /* -- the list --------------------------------------------------------------------------------------------- */

  /* Remove spaces, so that a search for x^y finds x ^ y. */
  const packed = (text) => text.toLowerCase().replace(/\s+/g, "");

  function setUpList() {
    const form = byId("filter");
    if (!form) return;
    const table = byId("entries");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({
      row,
      ...row.dataset,
      engines: row.dataset.engine ? row.dataset.engine.split(" ") : [],
      by: row.cells[3].textContent.trim(),
      text: row.cells[1].textContent.trim(),
      words: packed([...row.cells].map((cell) => cell.textContent)
        .concat([...row.querySelectorAll("math[alttext]")].map((math) => math.getAttribute("alttext"))).join(";")),
    }));
    let sorted = rows;
    const heads = [...table.tHead.rows[0].cells];
    const boxes = [...form.querySelectorAll("input[name=verdict]")];
    const usual = boxes.map((box) => box.value); /* all, in the default order */
    const order = { key: "", down: false };
    const STEP = 50; /* entries shown at a time: to draw thousands of formulas takes seconds */
    let most = STEP;

    function key(entry) {
      if (order.key === "verdict") return usual.indexOf(entry.verdict);
      if (order.key === "size") return entry.size ? Number(entry.size) : Infinity;
      return entry[order.key];
    }

    function fits(entry, now, words) {
      return now.getAll("verdict").includes(entry.verdict)
        && ["kind", "paper", "ruleset"].every((name) => !now.get(name) || entry[name] === now.get(name))
        && (!now.get("engine") || entry.engines.includes(now.get("engine")))
        && entry.words.includes(words);
    }

    function show() {
      const now = new FormData(form);
      const words = packed(now.get("q"));
      let count = 0;
      for (const entry of sorted) {
        const fitting = fits(entry, now, words);
        if (fitting) count += 1;
        entry.row.hidden = !fitting || count > most;
      }
      const number = (value) => value.toLocaleString("en");
      const cut = count > most ? ` The first ${number(most)} are shown.` : "";
      const counted = count === 1 ? "One formula or claim." : `${number(count)} formulas and claims.`;
      const some = count < rows.length ? `${number(count)} of ${number(rows.length)} formulas and claims match.`
        : counted;
      byId("count").textContent = some + cut;
      byId("more").hidden = count <= most;
      byId("more-all").textContent = `Show all ${number(count)}`;
    }

    function sort() {
      const sign = order.down ? -1 : 1;
      sorted = [...rows];
      if (order.key) sorted.sort((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0));
      body.append(...sorted.map((entry) => entry.row));
      for (const head of heads) {
        if (head.dataset.sort === order.key) head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      }
    }

    function address() {
      const now = new URLSearchParams();
      const verdicts = boxes.filter((box) => box.checked).map((box) => box.value);
      if (verdicts.join() !== usual.join()) now.set("verdict", verdicts.join(","));
      for (const name of ["kind", "engine", "paper", "ruleset", "q"]) {
        if (form.elements[name].value) now.set(name, form.elements[name].value);
      }
      if (order.key) now.set("sort", (order.down ? "-" : "") + order.key);
      const text = now.toString();
      history.replaceState(null, "", text ? `#${text}` : location.pathname);
    }

    function restore() {
      const given = location.hash.slice(1);
      if (!given.includes("=")) {
        reveal(given);
        return;
      }
      const now = new URLSearchParams(given);
      const verdicts = now.has("verdict") ? now.get("verdict").split(",") : usual;
      for (const box of boxes) box.checked = verdicts.includes(box.value);
      for (const name of ["kind", "engine", "paper", "ruleset", "q"]) form.elements[name].value = now.get(name) || "";
      const by = now.get("sort") || "";
      order.key = heads.find((head) => head.dataset.sort === by.replace(/^-/, ""))?.dataset.sort || "";
      order.down = by.startsWith("-");
      sort();
      show();
      byId("list").scrollIntoView();
    }

    /* The entry that the address names is shown even if the filter excludes it. */
    function reveal(id) {
      const row = id && byId(id);
      if (!row || !body.contains(row) || !row.hidden) return;
      row.hidden = false;
      row.scrollIntoView();
    }

    for (const head of heads) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        order.down = order.key === head.dataset.sort && !order.down;
        order.key = head.dataset.sort;
        sort();
        show();
        address();
      });
    }
    byId("more-some").addEventListener("click", () => { most += STEP; show(); });
    byId("more-all").addEventListener("click", () => { most = Infinity; show(); });
    form.addEventListener("input", () => { most = STEP; show(); address(); });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => {
      order.key = "";
      order.down = false;
      most = STEP;
      sort();
      show();
      address();
    }));
    window.addEventListener("hashchange", restore);
    form.hidden = false;
    show();
    table.classList.remove("waiting");
    restore();
  }

  /* -- scrolling boxes are reached by the keyboard ----------------------------------------------------------- */

  function setUpScrolling() {
    const reach = () => {
      const boxes = [...document.querySelectorAll(".scroll:not([role]), .wide:not([role])")];
      const wide = boxes.filter((box) => box.scrollWidth > box.clientWidth);
      for (const box of boxes) box.removeAttribute("tabindex");
      for (const box of wide) box.tabIndex = 0;
    };
    new ResizeObserver(reach).observe(document.body);
  }

  setUpTheme();
  setUpScrolling();
  setUpCopying();
  setUpList();
})();
