// Pages: colours, tabs, switches, sorting. Everything is complete and readable without it.
(() => {
  "use strict";

  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  /** Tells figures that an element that was hidden has a size now. */
  const shown = (element) => document.dispatchEvent(new CustomEvent("perfolio:show", { detail: element }));

  /** Light, dark, or as the system says; remembered where the browser allows it. */
  const colours = () => {
    const key = "perfolio-theme";
    const root = document.documentElement;
    const order = ["auto", "light", "dark"];
    for (const button of all(".theme-button")) {
      const word = button.querySelector("span");
      const current = () => root.dataset.theme ?? "auto";
      word.textContent = current();
      button.addEventListener("click", () => {
        const next = order[(order.indexOf(current()) + 1) % order.length];
        if (next === "auto") delete root.dataset.theme;
        else root.dataset.theme = next;
        word.textContent = next;
        try {
          if (next === "auto") localStorage.removeItem(key);
          else localStorage.setItem(key, next);
        } catch {
          // The choice holds for this page only.
        }
      });
    }
  };

  /** Turns the list of links into tabs. Gives a function that shows a panel by its id. */
  const tabs = () => {
    const box = document.querySelector(".tabbed");
    if (!box) return () => {};
    const list = box.querySelector(".tabs > div");
    const links = all("a", list);
    const panels = links.map((link) => document.getElementById(link.hash.slice(1)));
    const show = (index) => {
      links.forEach((link, at) => {
        link.setAttribute("aria-selected", String(at === index));
        link.tabIndex = at === index ? 0 : -1;
        panels[at].hidden = at !== index;
      });
      shown(panels[index]);
    };
    const choose = (index) => {
      show(index);
      perfolioFragment.set("tab", index === 0 ? null : panels[index].id);
    };
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", list.parentElement.getAttribute("aria-label"));
    list.parentElement.setAttribute("role", "presentation");
    list.parentElement.removeAttribute("aria-label");
    links.forEach((link, at) => {
      link.setAttribute("role", "tab");
      link.setAttribute("aria-controls", panels[at].id);
      panels[at].setAttribute("role", "tabpanel");
      panels[at].setAttribute("aria-labelledby", link.id);
      link.addEventListener("click", (event) => {
        event.preventDefault();
        choose(at);
      });
      link.addEventListener("keydown", (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const last = links.length - 1;
        const to = { ArrowLeft: at === 0 ? last : at - 1, ArrowRight: at === last ? 0 : at + 1, Home: 0, End: last, " ": at }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        choose(to);
        links[to].focus();
      });
    });
    show(0);
    box.classList.add("ready");
    return (id) => {
      const index = panels.findIndex((panel) => panel.id === id);
      if (index >= 0 && panels[index].hidden) show(index);
    };
  };

  /** One case at a time; a choice holds in every panel. Gives a function that shows cases by their key. */
  const cases = () => {
    const boxes = all(".switched");
    const showIn = (box, key) => {
      const own = all(":scope > .case", box);
      const chosen = own.find((one) => one.dataset.case === key);
      if (!chosen) return;
      for (const one of own) one.hidden = one !== chosen;
      for (const button of all(":scope > .switch [data-case]", box.parentElement)) {
        button.setAttribute("aria-pressed", String(button.dataset.case === key));
      }
      shown(chosen);
    };
    const show = (key) => boxes.forEach((box) => showIn(box, key));
    for (const box of boxes) {
      // Each panel starts with its own first case, as it was drawn before the script came.
      showIn(box, box.querySelector(":scope > .case").dataset.case);
      box.classList.add("ready");
      const buttons = all(":scope > .switch [data-case]", box.parentElement);
      for (const button of buttons) {
        button.addEventListener("click", () => {
          show(button.dataset.case);
          perfolioFragment.set("case", button === buttons[0] ? null : button.dataset.case);
        });
      }
    }
    return show;
  };

  /** Shows what the fragment of the address names: a tab, a case, or an element that lies in a hidden one. */
  const address = (showPanel, showCase) => {
    const follow = () => {
      const tab = perfolioFragment.get("tab");
      if (tab) showPanel(tab);
      const key = perfolioFragment.get("case");
      if (key) showCase(key);
      let id = location.hash.slice(1);
      try {
        id = decodeURIComponent(id);
      } catch {
        // A stray per cent sign: taken as it stands.
      }
      const target = id && document.getElementById(id);
      if (!target) return;
      const inCase = target.closest(".case");
      const inPanel = target.closest(".panel");
      if (!inPanel?.hidden && !inCase?.hidden) return;
      if (inPanel) showPanel(inPanel.id);
      if (inCase) showCase(inCase.dataset.case);
      target.scrollIntoView();
    };
    follow();
    addEventListener("hashchange", follow);
  };

  /** Sorts and filters the cards of a gallery. */
  const cards = () => {
    const list = document.querySelector(".cards");
    const buttons = all("[data-sort]");
    if (!list || buttons.length === 0) return;
    const items = all(".card", list);
    const text = new Map(items.map((item) => [item, `${item.querySelector(".card-name").textContent} ${item.querySelector(".what").textContent} ${item.dataset.tags} ${item.querySelector(".change").textContent}`.toLowerCase()]));
    const compare = new Intl.Collator(document.documentElement.lang || "en", { numeric: true }).compare;
    const number = (item, key) => (item.dataset[key] === "" ? -Infinity : Number(item.dataset[key]));
    const byOrder = (a, b) => a.dataset.order - b.dataset.order;
    const orders = {
      order: byOrder,
      name: (a, b) => compare(a.dataset.name, b.dataset.name) || byOrder(a, b),
      change: (a, b) => number(b, "change") - number(a, "change") || byOrder(a, b),
      value: (a, b) => number(b, "value") - number(a, "value") || byOrder(a, b),
    };
    const sort = (key) => {
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.sort === key));
      list.append(...items.toSorted(orders[key]));
    };
    for (const button of buttons) {
      button.addEventListener("click", () => {
        sort(button.dataset.sort);
        perfolioFragment.set("sort", button.dataset.sort === "order" ? null : button.dataset.sort);
      });
    }
    const kept = perfolioFragment.get("sort");
    if (kept && Object.hasOwn(orders, kept)) sort(kept);

    const filter = document.getElementById("filter");
    const tag = document.getElementById("tag");
    const found = document.querySelector(".found");
    const apply = () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const item of items) {
        const tagged = !tag?.value || item.dataset.tags.split("\n").includes(tag.value);
        item.hidden = !tagged || !words.every((word) => text.get(item).includes(word));
        if (!item.hidden) count += 1;
      }
      found.textContent = count === items.length ? "" : `${count} of ${items.length} shown`;
    };
    filter.addEventListener("input", apply);
    tag?.addEventListener("change", apply);
  };

  /** Wide tables begin at their newest column; boxes that scroll can be reached by keyboard. */
  const boxes = () => {
    for (const box of all(".scroll.to-end")) box.scrollLeft = box.scrollWidth;
    for (const box of all("pre:not([tabindex])")) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  };

  /** The list of contents closes when one of its links leads to a place on this page. */
  const contents = () => {
    const box = document.getElementById("contents");
    box?.addEventListener("click", (event) => {
      if (event.target.closest("a") && box.matches(":popover-open")) box.hidePopover();
    });
  };

  /** Flame graphs have a script of their own; a file carries it. */
  const flames = () => {
    const path = document.body.dataset.flame;
    if (!path || !document.querySelector("svg.flame")) return;
    const script = document.createElement("script");
    script.src = path;
    document.head.append(script);
  };

  colours();
  flames();
  address(tabs(), cases());
  cards();
  boxes();
  contents();
})();
