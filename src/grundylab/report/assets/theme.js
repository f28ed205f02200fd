"use strict";
/* Marks that scripts run, and sets the reader's choice of light or dark, before anything is drawn. */
(function () {
  document.documentElement.classList.add("scripted");
  try {
    const chosen = localStorage.getItem("grundylab-theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    /* no storage: the system decides */
  }
})();
