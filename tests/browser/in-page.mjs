// Functions that run inside the page under test. Each is sent as text, so each stands alone.

/** Runs before any script of the page: adds up layout shifts from the first paint on. */
export function watchLayoutShifts() {
  const seen = { sum: 0, sources: [] };
  Object.defineProperty(globalThis, "__layoutShifts", { value: seen });
  try {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        seen.sum += entry.value;
        for (const source of entry.sources ?? []) {
          const node = source.node;
          if (node) seen.sources.push(`<${node.localName ?? node.nodeName}> "${(node.textContent ?? "").trim().slice(0, 40)}"`);
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  } catch {
    seen.sum = Number.NaN;
  }
}

/** Waits until the page has been laid out and painted, and observers have been told. */
export async function settled(milliseconds) {
  await document.fonts.ready;
  const frame = () => new Promise((done) => requestAnimationFrame(() => done()));
  await frame();
  await frame();
  await new Promise((done) => setTimeout(done, milliseconds));
}

/** Scrolls to the end and back, screen by screen where something waits to be scrolled to. */
export async function scrollThrough() {
  const height = document.scrollingElement?.scrollHeight ?? 0;
  const step = document.querySelector("[loading=lazy]") ? innerHeight : height;
  for (let y = step; y < height + step; y += step) {
    scrollTo({ top: y, behavior: "instant" });
    await new Promise((done) => requestAnimationFrame(() => done()));
  }
  scrollTo({ top: 0, behavior: "instant" });
}

/** Opens every `<details>`, so that what is folded away is checked as well. */
export function openDetails() {
  for (const element of document.querySelectorAll("details")) {
    // Folds that share a name would close each other.
    element.removeAttribute("name");
    element.open = true;
  }
}

/** Content that is wider than the window, or that an `overflow` rule hides instead of showing. */
export function sidewaysFaults() {
  const faults = [];
  const say = (check, message) => faults.push({ check, message });
  const name = (element) => {
    const id = element.id ? `#${element.id}` : "";
    const classes = [...element.classList].map((word) => `.${word}`).join("");
    return `<${element.localName}${id}${classes}>`;
  };
  const html = document.documentElement;
  const body = document.body;
  for (const element of [html, body]) {
    if (!element || !(element instanceof HTMLElement)) continue;
    const overflow = getComputedStyle(element).overflowX;
    if (overflow === "hidden" || overflow === "clip") {
      say("sideways", `${name(element)} has overflow-x: ${overflow}, which hides what is too wide`);
    }
    if (element.scrollWidth > innerWidth) {
      const wide = [...document.querySelectorAll("body *")]
        .filter((inner) => inner.getBoundingClientRect().right > innerWidth + 0.5)
        .slice(-3)
        .map(name);
      say("sideways", `${name(element)} is ${element.scrollWidth} px wide in a window of ${innerWidth} px; beyond the edge: ${wide.join(", ")}`);
    }
  }
  // A wrapper that cuts its content off is the same fault one level down.
  for (const element of document.querySelectorAll("body > *, main, main > *, article, section")) {
    if (!(element instanceof HTMLElement) || element.clientWidth < innerWidth / 2) continue;
    const overflow = getComputedStyle(element).overflowX;
    if ((overflow === "hidden" || overflow === "clip") && element.scrollWidth > element.clientWidth + 1) {
      say("sideways", `${name(element)} hides content: ${element.scrollWidth} px in ${element.clientWidth} px`);
    }
  }
  return faults;
}

/**
 * Texts of drawings: none may overlap another of the same drawing, be drawn below `smallest` px
 * or lie beyond the left edge of the page, where nobody can scroll.
 * Returns also what was seen, so that a caller can tell "all good" from "nothing there".
 */
export function figureTexts({ allowed, smallest }) {
  const faults = [];
  const seen = { figures: 0, texts: 0 };
  const say = (check, message) => faults.push({ check, message });
  const visible = (element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    // In SVG the answer above is stale after a container query has hidden a parent; the drawn box is not.
    if (element.getBoundingClientRect().width === 0) return false;
    const style = getComputedStyle(element);
    return style.fillOpacity !== "0" && !(style.fill === "none" && style.stroke === "none");
  };
  // The corners of the box that holds the letters, as drawn: turned text has a turned box.
  const cornersOf = (element) => {
    const box = element.getBBox();
    const matrix = element.getScreenCTM();
    if (!matrix || box.width === 0 || box.height === 0) return null;
    return [
      [box.x, box.y],
      [box.x + box.width, box.y],
      [box.x + box.width, box.y + box.height],
      [box.x, box.y + box.height],
    ].map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix));
  };
  // How deep two convex boxes lie in one another: the smallest overlap over the directions of their sides.
  const depth = (a, b) => {
    let least = Number.POSITIVE_INFINITY;
    for (const corners of [a, b]) {
      for (let side = 0; side < 2; side += 1) {
        const [from, to] = [corners[side], corners[side + 1]];
        const length = Math.hypot(to.x - from.x, to.y - from.y);
        if (length === 0) return 0;
        const [nx, ny] = [(to.y - from.y) / length, (from.x - to.x) / length];
        const reach = (points) => {
          const places = points.map((point) => point.x * nx + point.y * ny);
          return [Math.min(...places), Math.max(...places)];
        };
        const [a0, a1] = reach(a);
        const [b0, b1] = reach(b);
        least = Math.min(least, Math.min(a1, b1) - Math.max(a0, b0));
      }
    }
    return least;
  };
  const drawings = [...document.querySelectorAll("svg")].filter((svg) => !svg.parentElement?.closest("svg"));
  for (const drawing of drawings) {
    const boxes = [];
    for (const text of drawing.querySelectorAll("text")) {
      const words = (text.textContent ?? "").trim();
      if (words === "" || !visible(text)) continue;
      const corners = cornersOf(text);
      if (!corners) continue;
      const matrix = text.getScreenCTM();
      const scale = Math.min(Math.hypot(matrix.a, matrix.b), Math.hypot(matrix.c, matrix.d));
      for (const part of [text, ...text.querySelectorAll("tspan")]) {
        const size = Number.parseFloat(getComputedStyle(part).fontSize) * scale;
        const own = [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
        if (own && size < smallest - 0.01) say("small-text", `"${words}" is drawn at ${size.toFixed(2)} px`);
      }
      const xs = corners.map((point) => point.x);
      if (Math.min(...xs) + scrollX < -0.5 && !text.closest(".scroll")) {
        say("cut-text", `"${words}" starts at ${(Math.min(...xs) + scrollX).toFixed(1)} px, beyond the left edge`);
      }
      boxes.push({ words, corners, left: Math.min(...xs), right: Math.max(...xs) });
    }
    if (boxes.length > 0) seen.figures += 1;
    seen.texts += boxes.length;
    boxes.sort((a, b) => a.left - b.left);
    for (let one = 0; one < boxes.length; one += 1) {
      for (let two = one + 1; two < boxes.length && boxes[two].left < boxes[one].right; two += 1) {
        const overlap = depth(boxes[one].corners, boxes[two].corners);
        if (overlap > allowed) {
          say("overlap", `"${boxes[one].words}" and "${boxes[two].words}" overlap by ${overlap.toFixed(1)} px`);
        }
      }
    }
  }
  return { faults, seen };
}

/** Every element with `data-value` with all its attributes and its text. */
export function readValues() {
  return [...document.querySelectorAll("[data-value], [data-ratio]")].map((element) => ({
    figure: element.closest(".block")?.id ?? null,
    attributes: Object.fromEntries([...element.attributes].map((item) => [item.name, item.value])),
    text: (element.textContent ?? "").trim(),
  }));
}
