// Figures: a reading line for the point under the pointer or the keys, and the state in the URL fragment.
// A classic script without dependencies; everything is readable without it.

// The fragment holds pairs, such as #tab=history&fig=f1&m=a,b&p=1.11.0. Each script sets its own keys and
// leaves the others. A list is joined by commas. A fragment without "=" is an anchor and holds no pairs.
const perfolioFragment = {
  pairs() {
    const text = location.hash.slice(1);
    return new Map(text.includes("=") ? text.split("&").map((pair) => {
      const at = pair.indexOf("=");
      return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
    }) : []);
  },
  // The value of a key as a list of texts; null when the key is absent.
  list(key) {
    const raw = this.pairs().get(key);
    if (raw === undefined) return null;
    try {
      return raw === "" ? [] : raw.split(",").map(decodeURIComponent);
    } catch {
      return null;
    }
  },
  get(key) {
    const list = this.list(key);
    return list && list.join(",");
  },
  // Sets a text or a list; null removes the key.
  set(key, value) {
    const pairs = this.pairs();
    if (value === null) pairs.delete(key);
    else pairs.set(key, [].concat(value).map(encodeURIComponent).join(","));
    const text = [...pairs].map(([name, raw]) => name + "=" + raw).join("&");
    try {
      history.replaceState(history.state, "", text ? "#" + text : location.pathname + location.search);
    } catch {
      // Some browsers allow no history for local files; the page works without it.
    }
  },
};

(() => {
  const KEYS = "Left, Right: targets. Up, Down: lines. Home, End: ends. Escape: leave.";

  const state = perfolioFragment;
  const one = (parent, selector) => parent.querySelector(selector);
  const all = (parent, selector) => [...parent.querySelectorAll(selector)];
  const put = (element, values) => Object.entries(values).forEach(([name, value]) => element.setAttribute(name, value));

  // Column → height in px of every drawn point of a line, read from its path. The points of a cloud stand
  // anywhere across: it lists their columns, and `even` takes their places.
  const heights = (path, even) => {
    const cloud = path.dataset.cloud?.split(","), points = new Map();
    let at = 0;
    for (const [, x, y] of path.getAttribute("d").matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)) {
      const column = cloud ? +cloud[at++] : Math.round((x / 1000) * even.length - 0.5);
      if (cloud) even[column] = x / 10;
      points.set(column, +y);
    }
    return points;
  };

  // `far` holds rows and heights that are not in the page (large.js).
  const enhance = (block, far) => {
    const plot = one(block, ".plot"), area = plot && one(plot, ".pa");
    const reading = one(block, ".reading"), rows = far ? far.rows : all(block, ".values tbody tr");
    if (!area || !reading || !rows.length) return;
    const rest = reading.textContent, count = rows.length, floor = area.getAttribute("height");
    const cursor = one(area, ".cursor"), ring = one(area, ".ring");
    const boxes = all(block, ".toggles input"), byDate = one(block, ".xd"), byOrder = one(block, ".xo");
    // Where the targets are, in per cent of the width: equally far apart, or by date.
    const even = rows.map((_, at) => ((at + 0.5) * 100) / count);
    let last = 0;
    const dates = byDate && one(area, ".dd").dataset.x.split(" ").map((step) => (last += step / 100));
    const places = () => (byDate && byDate.checked ? dates : even);
    // The targets from left to right; those of a cloud in their own order.
    const cloud = one(area, "[data-cloud]");
    const order = () => {
      const x = places();
      return even.map((_, at) => at).sort((a, b) => (cloud ? a - b : x[a] - x[b]));
    };
    const lines = all(area, "path[data-line]")
      .sort((a, b) => a.dataset.line - b.dataset.line)
      .map((path, at) => ({ at, name: path.dataset.line, key: path.dataset.key, points: far && !cloud ? far.heights(at) : heights(path, even), box: boxes[at] }));
    const initial = boxes.map((box) => box.defaultChecked);
    const shown = () => lines.filter((line) => !line.box || line.box.checked);
    let column = count - 1, line = 0, kept = false;

    // The columns of the values, one per line, and the sentence of a value: its own, or the pattern of its
    // column, perhaps with another part, with target, date, value and ratio of the row.
    const heads = all(block, ".values thead th");
    const columns = lines.map((line) => heads.findIndex((head) => head.dataset.line === line.name));
    const sentence = (at, index) => {
      const cells = rows[at].cells, place = columns[index], own = cells[place];
      if (!own) return target(at);
      const { say, cut } = own.dataset;
      let pattern = heads[place].dataset.say || "";
      if (say !== undefined && cut === undefined) return say;
      if (cut !== undefined) {
        const [before, after] = cut.split(",").map(Number);
        pattern = pattern.slice(0, before) + (say ?? "") + pattern.slice(pattern.length - after);
      }
      const texts = [0, 1, place, place + 1].map((at) => (cells[at] ? cells[at].textContent : ""));
      if (texts[3].includes(".")) texts[3] = texts[3].replace(/\.?0+$/, "");
      return pattern.replace(/\{(\d)\}/g, (_, digit) => texts[digit]);
    };
    const target = (at) => rows[at].cells[0].textContent;

    const show = (at, index) => {
      const x = places()[at] + "%", y = lines[index].points.get(at);
      put(cursor, { x1: x, x2: x });
      put(ring, { cx: x, cy: y ?? floor });
      // In a cloud, what has no value has no place either.
      plot.classList.toggle("on", !cloud || y !== undefined);
      reading.textContent = sentence(at, index);
    };
    const leave = () => {
      kept = false;
      plot.classList.remove("on");
      reading.textContent = rest;
    };
    const keep = () => {
      kept = true;
      show(column, line);
      remember();
      state.set("p", target(column));
    };
    // The address keeps the state of one figure: the one that was used last.
    const remember = () => {
      if (state.get("fig") !== block.id) state.set("p", null);
      state.set("fig", block.id);
      const same = boxes.every((box, at) => box.checked === initial[at]);
      state.set("m", same ? null : shown().map((line) => line.key));
      state.set("x", byDate && byDate.checked ? "date" : null);
    };
    // The line in use, or the first shown one when it has been switched off.
    const settle = () => {
      const visible = shown();
      if (visible.length && !visible.includes(lines[line])) line = visible[0].at;
      return visible;
    };

    plot.tabIndex = 0;
    const label = one(plot, "svg").getAttribute("aria-label") + ". " + KEYS;
    put(plot, { role: "application", "aria-roledescription": "chart", "aria-label": label });
    const on = (name, act) => plot.addEventListener(name, act);

    on("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const visible = settle(), at = visible.indexOf(lines[line]);
      if (event.key === "Escape") {
        leave();
        state.set("p", null);
        plot.blur();
      } else if (event.key === "?") {
        reading.textContent = KEYS;
      } else if (visible.length) {
        const row = order(), here = row.indexOf(column);
        const to = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: count - 1 }[event.key];
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (to === undefined && by === undefined) return;
        // The first key shows the point that is there; only then do keys move.
        if (kept && to !== undefined) column = row[Math.min(count - 1, Math.max(0, to))];
        else if (event.key === "Home") column = row[0];
        if (by !== undefined && kept) line = visible[(at + by + visible.length) % visible.length].at;
        keep();
      } else return;
      event.preventDefault();
    });
    on("focus", () => {
      if (plot.matches(":focus-visible") && settle().length) {
        kept = true;
        show(column, line);
      }
    });
    on("blur", leave);

    // The column under the pointer, and of the shown lines the nearest.
    const under = (event) => {
      const box = area.getBoundingClientRect(), part = (event.clientX - box.left) / box.width;
      const top = ring.ownerSVGElement.getScreenCTM();
      if (part < 0 || part >= 1 || !top) return null;
      const x = places(), y = event.clientY - top.f;
      const far = (at) => (cloud ? Math.hypot(((x[at] - part * 100) * box.width) / 100, (lines[0].points.get(at) ?? 1 / 0) - y) : Math.abs(x[at] - part * 100));
      const at = x.reduce((best, _, at) => (far(at) < far(best) ? at : best), 0);
      const near = (one) => Math.abs((one.points.get(at) ?? Number(floor)) - y);
      const visible = shown();
      return visible.length ? [at, visible.reduce((a, b) => (near(b) < near(a) ? b : a)).at] : null;
    };
    on("pointermove", (event) => {
      const point = under(event);
      if (point) show(...point);
    });
    on("pointerleave", () => (kept ? show(column, line) : leave()));
    on("click", (event) => {
      const point = under(event);
      if (!point) return;
      [column, line] = point;
      keep();
    });
    boxes.concat(byDate ? [byOrder, byDate] : []).forEach((box) => box.addEventListener("change", () => {
      remember();
      if (kept && settle().length) show(column, line);
    }));

    const restore = () => {
      if (state.get("fig") !== block.id) return;
      const metrics = state.list("m"), point = state.get("p");
      if (metrics) lines.forEach((one) => { if (one.box) one.box.checked = metrics.includes(one.key); });
      if (byDate) (state.get("x") === "date" ? byDate : byOrder).checked = true;
      const at = rows.findIndex((_, row) => target(row) === point);
      if (at >= 0 && settle().length) {
        column = at;
        kept = true;
        show(column, line);
        block.scrollIntoView({ block: "nearest" });
      }
    };
    window.addEventListener("hashchange", restore);
    restore();
  };

  const start = () => {
    all(document, ".block").forEach((block) => ("points" in block.dataset ? perfolioLarge(block, enhance) : enhance(block)));
    const save = one(document, "button.save"), source = one(document, "#plot-document");
    const packed = source && "packed" in source.dataset;
    if (!save || !source || (packed && !window.DecompressionStream)) return;
    save.hidden = false;
    save.addEventListener("click", async () => {
      const text = packed ? await perfolioInflated(source.textContent) : source.textContent;
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      link.download = save.dataset.name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
