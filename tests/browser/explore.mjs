// Explores a figure as a reader does, and holds what Plotly shows against what is known about it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const PATIENCE = 30_000;

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Runs in the page: opens what hides the figure, and gives its places. */
function places(id) {
  const block = document.getElementById(id);
  for (let fold = block?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  if (!block) return null;
  const start = block.getBoundingClientRect().top;
  const top = (selector) => block.querySelector(selector)?.getBoundingClientRect().top - start;
  return { height: block.offsetHeight, page: document.documentElement.scrollHeight, reading: top(".reading"), links: top(".links") };
}

/** Runs in the page: the number of points that Plotly holds, and of points that it has drawn. */
function counted(id) {
  const area = document.getElementById(id).querySelector(".explored-plot");
  const own = area.data.filter((trace) => !trace.yaxis && trace.name !== "medians");
  const held = own.flatMap((trace) => trace.y.flat()).filter((value) => value !== null).length;
  const texts = [...area.querySelectorAll(".explored-plot text")].map((text) => text.textContent);
  return { held, texts, drawn: area.querySelectorAll(".scatterlayer .point, .boxlayer .point, .barlayer .point").length };
}

async function axe(tab, id) {
  await tab.evaluate(axeSource);
  const complaints = [];
  for (const theme of ["light", "dark"]) {
    await tab.emulateMedia({ colorScheme: theme });
    await tab.waitForTimeout(60);
    const found = await tab.evaluate(async (id) => {
      const { violations } = await globalThis.axe.run(document.getElementById(id), {
        preload: false, resultTypes: ["violations"], rules: { "target-size": { enabled: true } },
      });
      return violations.map((one) => `${one.id}: ${one.nodes.slice(0, 2).map((node) => node.target.join(" ")).join(", ")}`);
    }, id);
    complaints.push(...found.map((one) => `${theme}: ${one}`));
  }
  await tab.emulateMedia({ colorScheme: "light" });
  return complaints;
}

/**
 * `figure` is the id of a block, `points` the number of its drawable rows, `texts` what must stand in the plot as
 * it is; `open` says that the file opens explored. Gives null or a complaint.
 */
export async function explore(tab, { figure, points, texts = [], open = false }) {
  const button = tab.locator(`[id="${figure}"] button.explore`);
  const before = await tab.evaluate(places, figure);
  if (!before) return `no figure has the id ${figure}`;
  if (!open) await button.click({ timeout: PATIENCE });
  await tab.waitForFunction(
    (id) => document.getElementById(id).querySelector(".modebar-btn[role], .reading.trouble"), figure, { timeout: PATIENCE },
  );
  const trouble = await tab.locator(`[id="${figure}"] .reading.trouble`).allTextContents();
  if (trouble.length > 0) return trouble[0];
  const after = await tab.evaluate(places, figure);
  if (JSON.stringify(after) !== JSON.stringify(before)) return `the page moved: ${JSON.stringify(before)} to ${JSON.stringify(after)}`;
  const found = await tab.evaluate(counted, figure);
  if (found.held !== points) return `Plotly holds ${found.held} points, not ${points}`;
  if (found.drawn === 0 && points > 0) return "Plotly has drawn no point";
  for (const text of texts) if (!found.texts.some((one) => one.includes(text))) return `${text} is not among ${JSON.stringify(found.texts)}`;
  const focused = () => tab.evaluate(() => document.activeElement.className);
  if (!open && !(await focused()).includes("explored-plot")) return `the focus is on ${await focused()}`;
  await tab.locator(`[id="${figure}"] .explored-plot`).focus();
  await tab.keyboard.press("End");
  const complaints = await axe(tab, figure);
  if (complaints.length > 0) return complaints.join("; ");
  await tab.keyboard.press("Escape");
  if ((await tab.locator(`[id="${figure}"] .explored`).count()) > 0) return "Escape did not lead back to the drawing";
  if (!(await focused()).includes("explore")) return `after Escape the focus is on ${await focused()}`;
  const end = await tab.evaluate(places, figure);
  return JSON.stringify(end) === JSON.stringify(before) ? null : "the page moved on the way back";
}
