"use strict";
/* Before anything is drawn: mark the page as one with scripts, and set the reader's choice of light or dark. */
(function () {
  document.documentElement.classList.add("scripted");
  try {
    const chosen = localStorage.getItem("grundylab-theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    /* without storage, the system decides */
  }
})();
