// Explore: a figure again in Plotly, over its drawing in the same place. Plotly and the figure's data are loaded
// at the first click, as classic scripts: a page from a disk may load nothing else.
(() => {
  "use strict";

  // Below this width the toggles above the figure do for a legend.
  const NARROW = 640;
  // The dashes of the drawing, by the names that Plotly knows.
  const DASHES = { dash: "7px,3px", dot: "2px,3px", dashdot: "9px,3px,2px,3px", longdash: "12px,3px", longdashdot: "4px,2px" };
  const KEYS = "Left, Right: targets. Up, Down: lines. Home, End: ends. Escape: back to the drawing.";

  const one = (parent, selector) => parent.querySelector(selector);
  const all = (parent, selector) => [...parent.querySelectorAll(selector)];
  const make = (name, values, parent) => {
    const element = Object.assign(document.createElement(name), values);
    parent.append(element);
    return element;
  };

  // Figures by the address of the script that handed them over.
  const figures = new Map(), loads = new Map();
  window.perfolioExplore = (id, figure) => figures.set(document.currentScript.src, perfolioUnpacked(figure));
  const load = (address) => {
    if (!loads.has(address)) loads.set(address, new Promise((done, fail) => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = () => done(script.src);
      script.onerror = () => {
        loads.delete(address);
        script.remove();
        fail(new Error(address));
      };
      document.head.append(script);
    }));
    return loads.get(address);
  };

  // Plotly adds no sheet of its own where this element says so.
  const withoutSheet = () => {
    if (!document.getElementById("plotly.js-style-global")) make("template", { id: "plotly.js-style-global", className: "no-inline-styles" }, document.head);
  };

  // Plotly's texts are markup; these are their words.
  const words = (text) => text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&#37;/g, "%").replace(/&amp;/g, "&");
  // Breaks a text into lines. Words that are too long for one are broken between characters.
  const wrap = (text, most) => {
    const lines = [""];
    for (const word of text.split(" ")) {
      const last = lines[lines.length - 1];
      if (words(last + word).length < most) lines[lines.length - 1] = last ? last + " " + word : word;
      else {
        const signs = word.match(/&[^;]+;|./gu) || [];
        if (!last) lines.pop();
        do lines.push(signs.splice(0, most).join("")); while (signs.length);
      }
    }
    return lines.join("<br>");
  };

  // A copy of a value in which every colour of the style sheet is the colour itself.
  const painted = (value, colour) => {
    if (typeof value === "string") return value.startsWith("var(--") ? colour(value) : value;
    if (Array.isArray(value)) return value.map((part) => painted(part, colour));
    if (!value || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, painted(part, colour)]));
  };

  const open = new Set();

  const enhance = (button) => {
    const block = button.closest(".block"), reading = one(block, ".reading");
    const boxes = all(block, ".toggles input"), inline = document.getElementById("explored-data");
    let busy = false, leave = null, rest = "";

    const trouble = (text) => {
      reading.textContent = text;
      reading.classList.add("trouble");
    };

    const draw = async (source, focus) => {
      const plot = all(block, ".plot").find((plot) => plot.offsetHeight), figure = plot.parentElement;
      // The axes of values, and which of them are logarithmic: in the drawing, and now.
      const axes = ["y", "x"].filter((axis) => source.layout[axis + "axis"].type !== "category");
      const drawn = Object.fromEntries(axes.map((axis) => [axis, source.layout[axis + "axis"].type === "log"]));
      const log = { ...drawn };
      const box = make("div", { className: "explored" }, figure);
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", "Explored figure");
      const tools = make("div", { className: "explored-tools" }, box);
      const back = make("button", { type: "button", textContent: "Back" }, tools);
      make("span", { textContent: " to the drawing" }, back);
      const area = make("div", { className: "explored-plot", tabIndex: 0 }, box);
      const label = one(plot, "svg").getAttribute("aria-label") + ". " + KEYS;
      for (const [name, value] of [["role", "application"], ["aria-roledescription", "chart"], ["aria-label", label]]) area.setAttribute(name, value);

      const place = () => {
        if (!plot.offsetHeight) return;
        box.style.top = plot.offsetTop + "px";
        box.style.height = plot.offsetHeight + "px";
      };
      const visible = (trace) => {
        if (trace.name === "zeros" && trace.showlegend === false && !log.y) return false;
        const toggle = boxes[trace.legendgroup - 1];
        return toggle ? toggle.checked || "legendonly" : true;
      };
      const build = () => {
        const probe = make("span", { hidden: true }, block), known = new Map();
        const colour = (name) => {
          if (!known.has(name)) {
            probe.style.color = name;
            known.set(name, getComputedStyle(probe).color);
          }
          return known.get(name);
        };
        const { data, layout } = painted(source, colour);
        probe.remove();
        const width = area.clientWidth, narrow = width < NARROW;
        for (const trace of data) {
          if (trace.name) trace.name = wrap(trace.name, 22);
          if (trace.hovertext) trace.hovertext = trace.hovertext.map((text) => wrap(text, Math.min(56, Math.floor(width / 11))));
          if (trace.line && DASHES[trace.line.dash]) trace.line.dash = DASHES[trace.line.dash];
          trace.visible = visible(trace);
        }
        const { annotations, shapes } = layout;
        layout.font.family = layout.hoverlabel.font.family = getComputedStyle(block).fontFamily;
        layout.uirevision = JSON.stringify(log);
        if (narrow) {
          layout.showlegend = false;
          layout.margin = { ...layout.margin, l: 44, r: 8 };
        }
        const named = (text, axis) => text.replace(/, (linear|logarithmic)$/, log[axis] ? ", logarithmic" : ", linear");
        for (const axis of axes) {
          const own = layout[axis + "axis"];
          if (own.title) own.title.text = named(own.title.text, axis);
          if (drawn[axis] === log[axis]) continue;
          own.type = log[axis] ? "log" : "linear";
          delete own.range;
          own.autorange = true;
        }
        const [title, note] = annotations, line = shapes[shapes.length - 1];
        title.text = wrap(named(title.text, "y"), Math.floor(width / 8));
        if (note) note.y = log.y ? Math.log10(line.y0) : line.y0;
        return [data, layout];
      };

      // Plotly's buttons are links without an address: no key reaches them, and nothing is read aloud.
      const name = () => all(area, ".modebar-btn").forEach((one) => {
        if (one.hasAttribute("role")) return;
        one.tabIndex = 0;
        one.setAttribute("role", "button");
        one.setAttribute("aria-label", one.dataset.title);
        one.addEventListener("keydown", (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          one.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        });
      });
      const react = () => Plotly.react(area, ...build(), source.config).then(name);

      // Positive values have logarithms, zeros a place at the foot if there is one axis; others have neither.
      for (const axis of axes) {
        const values = source.data.flatMap((trace) => (trace.yaxis ? [] : (trace[axis] || []).flat()));
        const two = axes.length > 1, least = two && !drawn[axis] ? (value) => value > 0 : (value) => value >= 0;
        if (!values.some((value) => value > 0) || !values.every((value) => value === null || least(value))) continue;
        const button = make("button", { type: "button", textContent: two ? `Log ${axis} axis` : "Log axis" }, tools);
        const say = () => button.setAttribute("aria-pressed", String(log[axis]));
        say();
        button.addEventListener("click", () => {
          log[axis] = !log[axis];
          say();
          react();
        });
      }

      block.classList.add("exploring");
      button.setAttribute("aria-pressed", "true");
      place();

      const redraw = () => {
        if (area.clientWidth) react();
      };
      let width = 0, frame = 0;
      const sizes = new ResizeObserver(() => {
        place();
        if (area.clientWidth === width) return;
        width = area.clientWidth;
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(() => {
          redraw();
          if (width) Plotly.Plots.resize(area);
        });
      });
      const refresh = () => redraw();
      leave = () => {
        const held = box.contains(document.activeElement);
        open.delete(refresh);
        sizes.disconnect();
        cancelAnimationFrame(frame);
        boxes.forEach((toggle) => toggle.removeEventListener("change", refresh));
        if (window.Plotly) Plotly.purge(area);
        box.remove();
        block.classList.remove("exploring");
        button.setAttribute("aria-pressed", "false");
        reading.textContent = rest;
        leave = null;
        if (held) button.focus({ preventScroll: true });
      };
      back.addEventListener("click", () => leave());
      box.addEventListener("keydown", (event) => {
        if (event.key === "Escape") leave();
      });

      try {
        width = area.clientWidth;
        await Plotly.newPlot(area, ...build(), source.config);
      } catch (error) {
        leave();
        throw error;
      }
      name();
      all(area, ".main-svg").forEach((svg) => svg.setAttribute("aria-hidden", "true"));
      open.add(refresh);
      sizes.observe(plot);
      sizes.observe(area);
      boxes.forEach((toggle) => toggle.addEventListener("change", refresh));
      reading.textContent = rest;
      const say = ({ curveNumber, pointNumber }) => {
        const texts = source.data[curveNumber].hovertext;
        if (texts && texts[pointNumber]) reading.textContent = words(texts[pointNumber]);
      };
      area.on("plotly_hover", (event) => say(event.points[0]));
      area.on("plotly_unhover", () => (reading.textContent = rest));
      // The toggles of the page know which lines are shown; the legend only asks them.
      area.on("plotly_legendclick", (event) => {
        const toggle = boxes[source.data[event.curveNumber].legendgroup - 1];
        if (toggle) toggle.click();
        return false;
      });
      area.on("plotly_legenddoubleclick", () => false);
      keys(area, source, say);
      if (focus) area.focus();
    };

    // Arrows go from point to point, as in the drawing.
    const keys = (area, source, say) => {
      let line = 0, point = -1;
      area.addEventListener("keydown", (event) => {
        if (event.target !== area || event.ctrlKey || event.altKey || event.metaKey) return;
        const lines = area.data.flatMap((trace, at) => (trace.visible === true && !trace.yaxis && trace.hovertext ? [at] : []));
        const along = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
        const across = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!lines.length || (along === undefined && across === undefined)) return;
        event.preventDefault();
        if (!lines.includes(line)) line = lines[0];
        if (across && point >= 0) line = lines[(lines.indexOf(line) + across + lines.length) % lines.length];
        const there = source.data[line].hovertext.flatMap((_, at) => (source.data[line].y[at] === null ? [] : [at]));
        if (!there.length) return;
        if (along) {
          const next = along > 0 ? there.find((at) => at > point) : there.findLast((at) => at < point);
          point = Math.abs(along) === 1 ? (next ?? there[along > 0 ? there.length - 1 : 0]) : there[along > 0 ? there.length - 1 : 0];
        } else if (!there.includes(point)) point = there.findLast((at) => at <= point) ?? there[0];
        const place = { curveNumber: line, pointNumber: point };
        Plotly.Fx.hover(area, [place]);
        say(place);
      });
    };

    const enter = async (focus) => {
      if (busy) return;
      busy = true;
      if (!reading.classList.contains("trouble")) rest = reading.textContent;
      reading.classList.remove("trouble");
      reading.textContent = "Loading Plotly …";
      let missing = "";
      try {
        withoutSheet();
        const { plotly, explore } = button.dataset;
        let source = inline && JSON.parse(inline.textContent);
        if (!source) {
          const [address] = await Promise.all([load(explore), load(plotly)].map((part) => part.catch((error) => {
            missing = error.message.replace(/^(\.\.\/)*/, "");
            throw error;
          })));
          source = figures.get(address);
        }
        await draw(source, focus);
      } catch {
        trouble(missing ? "Cannot explore: " + missing + " is missing here." : "Plotly cannot draw this figure.");
      }
      busy = false;
    };
    // Another drawing was asked for.
    all(block, ".places input").forEach((input) => input.addEventListener("change", () => leave && leave()));
    button.hidden = false;
    button.addEventListener("click", () => (leave ? leave() : enter(true)));
    if (inline) enter(false);
  };

  const start = () => {
    all(document, "button.explore").forEach(enhance);
    const refresh = () => open.forEach((act) => act());
    new MutationObserver(refresh).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
