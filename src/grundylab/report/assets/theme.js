"use strict";
/* That there are scripts, and the reader's choice of light or dark, before anything is drawn. */
(function () {
  document.documentElement.classList.add("scripted");
  try {
    const chosen = localStorage.getItem("grundylab-theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    /* no storage here: the system decides */
  }
})();
