// Runs before the page is drawn, so that neither colours nor tabs jump.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("perfolio-theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Some browsers keep nothing for files; then the system decides.
  }
})();
