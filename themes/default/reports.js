// Findings of a report: search and filter. Everything is listed without it.
(() => {
  "use strict";

  const box = document.querySelector(".all-findings");
  const search = box?.querySelector(".search-findings");
  if (!search) return;
  const all = (selector, within = box) => [...within.querySelectorAll(selector)];
  const severity = box.querySelector(".severity-findings");
  const rule = box.querySelector(".rule-findings");
  const found = box.querySelector(".found-findings");
  const open = box.querySelector(".open-findings");
  const rules = all(".rule");
  const items = rules.flatMap((part, at) =>
    all(".finding", part).map((item) => ({ item, rule: String(at), file: item.closest(".file") })));
  // The text of thousands of findings is put together when somebody searches, not before.
  const text = (one) => (one.text ??= `${one.item.textContent} ${one.file.firstElementChild.textContent}`.toLowerCase());

  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const one of items) {
      const fits =
        (!severity?.value || one.item.dataset.severity === severity.value) &&
        (!rule?.value || one.rule === rule.value) &&
        words.every((word) => text(one).includes(word));
      one.item.hidden = !fits;
      if (fits) count += 1;
    }
    for (const part of all(".file")) part.hidden = !part.querySelector(".finding:not([hidden])");
    for (const part of rules) part.hidden = !part.querySelector(".finding:not([hidden])");
    found.textContent = `${count} of ${items.length} shown`;
  };
  for (const control of [search, severity, rule]) control?.addEventListener("input", apply);

  open.addEventListener("click", () => {
    const opened = open.textContent === "Open all";
    for (const one of items) one.item.firstElementChild.open = opened && !one.item.hidden;
    open.textContent = opened ? "Close all" : "Open all";
  });

  // An address that names a finding opens it.
  const follow = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (target && target.matches(".finding")) target.firstElementChild.open = true;
  };
  follow();
  addEventListener("hashchange", follow);
})();
