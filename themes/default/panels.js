// Figures without targets on an axis: a reading line for the value under the pointer or the keys.
(() => {
  const KEYS = "Arrows: values. Home, End: ends. Escape: leave.";

  const enhance = (block) => {
    const plot = block.querySelector(".plot"), reading = block.querySelector(".reading");
    if (!plot || !reading || !plot.querySelector(".it")) return;
    const rest = reading.textContent;
    // Values of panels that are switched off have no box.
    const items = () => [...plot.querySelectorAll(".it")].filter((item) => item.getClientRects().length);
    let at = 0, shown = null;

    const show = (item) => {
      if (shown) shown.classList.remove("on");
      shown = item;
      if (item) item.classList.add("on");
      reading.textContent = item ? item.dataset.say : rest;
    };
    plot.tabIndex = 0;
    const label = plot.querySelector("svg").getAttribute("aria-label") + ". " + KEYS;
    for (const [name, value] of Object.entries({ role: "application", "aria-roledescription": "chart", "aria-label": label })) plot.setAttribute(name, value);

    plot.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const all = items(), by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (event.key === "Escape") {
        show(null);
        plot.blur();
      } else if (event.key === "?") {
        reading.textContent = KEYS;
      } else if (all.length && (by || event.key === "Home" || event.key === "End")) {
        // The first key shows the value that is there; only then do keys move.
        if (by && shown) at += by;
        if (event.key === "Home") at = 0;
        if (event.key === "End") at = all.length - 1;
        at = Math.min(all.length - 1, Math.max(0, at));
        show(all[at]);
      } else return;
      event.preventDefault();
    });
    plot.addEventListener("focus", () => {
      const all = items();
      if (plot.matches(":focus-visible") && all.length) show(all[(at = Math.min(at, all.length - 1))]);
    });
    plot.addEventListener("blur", () => show(null));
    const under = (event) => event.target.closest(".it");
    plot.addEventListener("pointermove", (event) => {
      const item = under(event);
      if (item) show(item);
    });
    plot.addEventListener("pointerleave", () => show(null));
    plot.addEventListener("click", (event) => {
      const item = under(event);
      if (!item) return;
      at = items().indexOf(item);
      show(item);
    });
  };

  const start = () => document.querySelectorAll(".block").forEach(enhance);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
