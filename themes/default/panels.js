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
    const leave = () => show(null);
    perfolioRead(plot, reading, {
      keys: KEYS,
      under: (event) => event.target.closest(".it"),
      show,
      take: (item) => {
        at = items().indexOf(item);
        show(item);
      },
      rest: leave,
      enter: () => {
        const all = items();
        if (all.length) show(all[(at = Math.min(at, all.length - 1))]);
      },
      leave,
      press: (key) => {
        const all = items(), by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key];
        if (!all.length || !(by || key === "Home" || key === "End")) return false;
        // The first key shows the value that is there; only then do keys move.
        if (by && shown) at += by;
        if (key === "Home") at = 0;
        if (key === "End") at = all.length - 1;
        at = Math.min(all.length - 1, Math.max(0, at));
        show(all[at]);
        return true;
      },
      escape: () => true,
    });
  };

  const start = () => document.querySelectorAll(".block").forEach(enhance);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
