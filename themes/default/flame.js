// Flame graphs: zoom into a frame, search, keys, a reading line. A classic script without dependencies that is loaded
// where a page has a flame graph; everything is readable without it.
(() => {
  const KEYS = "Down: first callee. Up: caller. Left, Right: neighbours. Home: outermost frame. Enter: zoom. Escape: show all, then leave.";
  const ROW = 20, PAD = 5, GAP = 8, LEAST = 14;
  const SPACE = "http://www.w3.org/2000/svg";

  const one = (parent, selector) => parent.querySelector(selector);
  const put = (element, values) => Object.entries(values).forEach(([name, value]) => element.setAttribute(name, value));
  const percent = (part) => Number((part * 100).toPrecision(3)) + "\u202f%";

  // What the words of a frame are as wide as, in the font of the drawing.
  const ruler = document.createElement("canvas").getContext("2d");
  const letters = typeof Intl === "object" && Intl.Segmenter ? new Intl.Segmenter() : null;
  const split = (text) => (letters ? [...letters.segment(text)].map((part) => part.segment) : [...text]);

  // A name cut to a width, always between characters.
  const cut = (text, room) => {
    const wide = (words) => ruler.measureText(words).width;
    if (wide(text) <= room) return text;
    const parts = split(text);
    let low = 0, high = Math.min(parts.length, 400);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (wide(parts.slice(0, middle).join("") + "…") <= room) low = middle;
      else high = middle - 1;
    }
    return low ? parts.slice(0, low).join("").trimEnd() + "…" : "";
  };

  const enhance = (block) => {
    const plot = one(block, ".plot"), svg = plot && one(plot, "svg.flame"), reading = one(block, ".reading");
    if (!svg || !reading || svg.dataset.on) return;
    svg.dataset.on = "";
    const rest = reading.textContent;

    // Frames in the order of the drawing: a caller stands before what it calls, one row above.
    const open = [], frames = [];
    for (const group of svg.querySelectorAll(":scope > g")) {
      const area = one(group, "rect"), [name, place, share, ...say] = one(group, "title").textContent.split("\n");
      const of = (key) => parseFloat(area.getAttribute(key)) / 100;
      const row = Math.round(parseFloat(area.getAttribute("y")) / ROW), text = one(group, "text");
      const frame = { group, area, name, place, share, say: say.join(" "), row, start: of("x"), width: of("width"), edge: text ? text.getAttribute("class") || "" : "", at: frames.length, callees: [] };
      open.length = row;
      frame.caller = open[row - 1] || null;
      if (frame.caller) frame.caller.callees.push(frame);
      open[row] = frame;
      frames.push(frame);
      // The reading line says it; a second text under the pointer would cover what is read.
      one(group, "title").remove();
    }
    if (!frames.length) return;
    let zoomed = null, current = frames[0], kept = false, found = null;

    const shown = (frame) => {
      if (!zoomed) return [frame.start, frame.width];
      if (frame.start + frame.width <= zoomed.start + 1e-9 && frame !== zoomed || frame.start >= zoomed.start + zoomed.width - 1e-9) return null;
      if (frame.row < zoomed.row) return [0, 1];
      return [(frame.start - zoomed.start) / zoomed.width, frame.width / zoomed.width];
    };

    const label = (frame, start, width, whole) => {
      frame.group.querySelectorAll("text").forEach((text) => text.remove());
      const room = width * whole - 2 * PAD;
      if (room < LEAST) return;
      const style = getComputedStyle(svg);
      ruler.font = style.fontSize + " " + style.fontFamily;
      const name = cut(frame.name, room), text = document.createElementNS(SPACE, "text");
      if (!name) return;
      put(text, { x: start * 100 + "%", dx: PAD, y: frame.row * ROW + 14, class: frame.edge.replace(/(^| )[a-f](?= |$)/g, "").trim() });
      text.textContent = name;
      for (const more of [[frame.place, frame.share].filter(Boolean).join(" · "), frame.place]) {
        if (more && name === frame.name && ruler.measureText(name).width + GAP + ruler.measureText(more).width <= room) {
          const part = document.createElementNS(SPACE, "tspan");
          put(part, { class: "m", dx: GAP });
          part.textContent = more;
          text.append(part);
          break;
        }
      }
      frame.group.append(text);
    };

    const draw = () => {
      const whole = svg.getBoundingClientRect().width;
      for (const frame of frames) {
        const place = shown(frame);
        frame.group.setAttribute("visibility", place ? "visible" : "hidden");
        if (!place) continue;
        put(frame.area, { x: place[0] * 100 + "%", width: place[1] * 100 + "%" });
        label(frame, place[0], place[1], whole);
      }
      all.disabled = !zoomed && !field.value;
    };

    const read = (frame) => {
      const place = frame.place ? " (" + frame.place + ")" : "";
      reading.textContent = frame.name + place + ". " + frame.say;
    };
    const mark = (frame) => {
      svg.querySelectorAll(".at").forEach((group) => group.classList.remove("at"));
      if (frame) frame.group.classList.add("at");
    };
    const keep = (frame) => {
      current = frame;
      kept = true;
      mark(frame);
      read(frame);
    };
    const leave = () => {
      kept = false;
      mark(null);
      reading.textContent = rest;
    };
    const zoom = (frame) => {
      zoomed = frame && frame.width < 1 - 1e-9 ? frame : null;
      draw();
    };

    // Search: the share of the whole in frames that match, each weight counted once.
    const tools = one(block, ".flame-tools"), field = one(tools, "input"), said = one(tools, "output"), all = one(tools, "button");
    const search = () => {
      const wanted = field.value.trim().toLowerCase();
      let share = 0, count = 0;
      found = wanted ? new Set() : null;
      for (const frame of frames) {
        const hit = wanted !== "" && (frame.name + " " + frame.place + " " + frame.say.split(". With ")[0]).toLowerCase().includes(wanted);
        frame.inside = hit || Boolean(frame.caller && frame.caller.inside);
        if (hit) {
          count += 1;
          found.add(frame);
          if (!(frame.caller && frame.caller.inside)) share += frame.width;
        }
        frame.group.classList.toggle("hit", hit);
        frame.group.classList.toggle("out", wanted !== "" && !hit);
      }
      said.textContent = wanted ? (count === 1 ? "1 frame" : count + " frames") + ", " + percent(share) + " of the whole" : "";
      all.disabled = !zoomed && !wanted;
    };
    tools.hidden = false;
    field.addEventListener("input", search);
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && field.value) {
        field.value = "";
        search();
        event.preventDefault();
      }
    });
    all.addEventListener("click", () => {
      field.value = "";
      search();
      zoom(null);
    });

    plot.tabIndex = 0;
    put(plot, { role: "application", "aria-roledescription": "flame graph", "aria-label": svg.getAttribute("aria-label") + ". " + KEYS });
    const neighbour = (frame, by) => {
      const row = frames.filter((other) => other.row === frame.row && shown(other));
      return row[row.indexOf(frame) + by];
    };
    const steps = {
      ArrowUp: (frame) => frame.caller,
      ArrowDown: (frame) => frame.callees.find(shown),
      ArrowLeft: (frame) => neighbour(frame, -1),
      ArrowRight: (frame) => neighbour(frame, 1),
      Home: () => frames[0],
    };
    plot.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Escape") {
        if (zoomed) zoom(null);
        else {
          leave();
          plot.blur();
        }
      } else if (event.key === "?") {
        reading.textContent = KEYS;
      } else if (event.key === "Enter" || event.key === " ") {
        if (kept) zoom(zoomed === current ? null : current);
        keep(current);
      } else if (steps[event.key]) {
        // The first key shows the frame that is there; only then do keys move.
        keep((kept && steps[event.key](current)) || current);
      } else return;
      event.preventDefault();
    });
    plot.addEventListener("focus", () => {
      if (plot.matches(":focus-visible")) keep(current);
    });
    plot.addEventListener("blur", leave);

    const under = (event) => {
      const group = event.target.closest && event.target.closest("svg.flame > g");
      return group ? frames.find((frame) => frame.group === group) : null;
    };
    plot.addEventListener("pointermove", (event) => {
      const frame = under(event);
      if (frame) read(frame);
    });
    plot.addEventListener("pointerleave", () => (kept ? read(current) : leave()));
    plot.addEventListener("click", (event) => {
      const frame = under(event);
      if (!frame) return;
      keep(frame);
      zoom(zoomed === frame ? null : frame);
    });

    let before = 0;
    const resized = () => {
      const wide = Math.round(svg.getBoundingClientRect().width);
      if (wide && wide !== before) {
        before = wide;
        draw();
      }
    };
    resized();
    if (typeof ResizeObserver === "function") new ResizeObserver(resized).observe(plot);
  };

  const start = () => document.querySelectorAll(".block").forEach(enhance);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
