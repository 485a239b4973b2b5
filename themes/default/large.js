// Figures whose table is cut: their values come from a script beside the page, or from the file itself, once a
// reader asks for the first of them.

// Plot id → values; each script of values adds its own.
const perfolioPoints = {};

// Lists of thousands of texts come packed: as their forms, in which U+E000 stands for a name or a number, the form of
// each as a digit, and the numbers of the lists of what stands in those places.
const perfolioUnpacked = ({ lists, ...values }) => {
  if (!lists) return values;
  const split = lists.map((list) => list.split(" "));
  const open = (value) => {
    if (Array.isArray(value)) return typeof value[0] === "number" ? value : value.map(open);
    if (!value || typeof value !== "object") return value;
    const { texts, which, parts } = value;
    if (!texts || !parts) return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, open(part)]));
    const forms = texts.map((form) => form.split("\ue000")), fill = parts.map((at) => split[at]);
    const length = which ? which.length : Math.max(...fill.map((part) => part.length));
    return Array.from({ length }, (_, at) => forms[which ? parseInt(which[at], 36) : 0].reduce((text, piece, place) => {
      const part = fill[place - 1];
      return text + part[part.length > 1 ? at : 0] + piece;
    }));
  };
  return open(values);
};

// The text that stands deflated and in Base64 in a file of its own.
const perfolioInflated = (base64) => {
  const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
};

// Makes a figure answer: `enhance` is called with rows and heights as soon as they are there.
const perfolioLarge = (block, enhance) => {
  const plot = block.querySelector(".plot"), reading = block.querySelector(".reading");
  if (!plot || !reading) return;
  const events = [[plot, "pointermove"], [plot, "focus"], [plot, "click"], [plot, "keydown"], [block, "change"]];
  let asked = false, last = null;

  const give = (values) => {
    const { rows, cells, say, y } = perfolioUnpacked(values);
    events.forEach(([element, name]) => element.removeEventListener(name, ask));
    window.removeEventListener("hashchange", follow);
    const cell = (at) => (column, place) => {
      const own = say[place][at] ?? [];
      const [text, cut] = Array.isArray(own) ? own : [own];
      return { textContent: column[at], dataset: { say: text ?? undefined, cut } };
    };
    enhance(block, {
      rows: rows.map((textContent, at) => ({
        get cells() {
          return [{ textContent, dataset: {} }, ...cells.map(cell(at))];
        },
      })),
      heights: (line) => ({ get: (at) => y[line][at] }),
    });
    // What was asked for while the values were on their way.
    if (last) (last.type === "change" ? last.target : plot).dispatchEvent(new last.constructor(last.type, last));
  };
  const ask = (event) => {
    last = event;
    if (asked) return;
    asked = true;
    const inside = document.getElementById("points");
    if (inside) return give(JSON.parse(inside.textContent));
    const script = document.createElement("script");
    script.onload = () => give(perfolioPoints[block.id]);
    script.onerror = () => {
      reading.textContent = "The values could not be loaded. The CSV under the figure has all of them.";
    };
    script.src = block.dataset.points;
    document.head.append(script);
  };
  const follow = () => {
    if (perfolioFragment.get("fig") === block.id) ask(null);
  };
  plot.tabIndex = 0;
  events.forEach(([element, name]) => element.addEventListener(name, ask));
  window.addEventListener("hashchange", follow);
  follow();
};
