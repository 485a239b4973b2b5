// Opens pages of a built site from disk in headless Chromium and reports every fault as JSON.
//
//   echo '{"root": "/site", "pages": "all"}' | node check.mjs
//
// The job, all keys but `root` optional:
//   root      absolute folder; nothing outside it may be asked for
//   pages     "all" (every *.html below root) or a list of relative paths (.html, .svg)
//   checks    which of CHECKS to run; default all
//   values    true: return every [data-value] or [data-ratio] element with the id of its figure, read with JavaScript off
//   axe       [[width, "light" | "dark"], …] where axe-core runs, or "all"; default one of AXE_RUNS in turns
//   fragments regular expression of fragments that scripts read and no element carries
//   scripts   [{name, page, hash, width, theme, javascript, steps: […]}], see steps.mjs
//   workers   pages at a time, default 2
//
// The report: {pages: [{page, faults: [{check, at, message}], seen, values}],
//              scripts: [{name, faults, reads}], milliseconds}
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pagesBelow, pageUrl, pathInside } from "./files.mjs";
import {
  figureTexts, openDetails, readValues, scrollThrough, settled, sidewaysFaults, watchLayoutShifts,
} from "./in-page.mjs";
import { inParallel, launch, readStdin } from "./launch.mjs";
import { Links } from "./links.mjs";
import { runSteps } from "./steps.mjs";

const CHECKS = ["console", "requests", "sideways", "axe", "shift", "figures", "links", "noscript"];
const SIDEWAYS_WIDTHS = [320, 390, 1400];
const FIGURE_WIDTHS = [360, 700, 1000, 1400];
// axe-core takes longer than all else together, mostly over contrast, and pages share their style sheets: each page is
// looked at in one of these, in turns. A job that needs certainty about a page asks for all.
const AXE_RUNS = [[1400, "light"], [390, "dark"], [1400, "dark"], [390, "light"]];
const LOAD_WIDTHS = [390, 1400];
const HEIGHT = 900;
// How long the page is watched for movement after it has loaded.
const QUIET_MS = 120;
// Scripts come this much late, as over a slow line. Otherwise it is left to chance whether the page is painted
// before its scripts run, and with it whether what they move is seen to move.
const LATE_MS = 80;
// How often a page must move to be at fault.
const LOADS = 3;

// A page that is not done by then hangs.
const PATIENCE_MS = 120_000;

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Collects what a page does behind the reader's back: messages, errors, requests. */
function watch(context, job, add) {
  context.on("console", (message) => {
    if (["error", "warning", "assert"].includes(message.type())) {
      const { url, lineNumber } = message.location();
      add("console", `${message.type()}: ${message.text()} (${url}:${lineNumber + 1})`);
    }
  });
  context.on("weberror", (error) => add("console", `uncaught: ${error.error()?.message ?? error.error()}`));
  context.on("dialog", (dialog) => {
    add("console", `dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("request", (request) => {
    const url = request.url();
    if (/^(data:|blob:|about:blank$)/.test(url)) return;
    if (pathInside(job.root, url) === null) add("requests", `asks for ${url}`);
  });
  context.on("requestfailed", (request) => {
    add("requests", `failed: ${request.url()} (${request.failure()?.errorText})`);
  });
  context.on("page", (tab) => tab.on("websocket", (socket) => add("requests", `asks for ${socket.url()}`)));
}

async function openTab(browser, job, settings, add) {
  const javascript = settings.javascript ?? true;
  const context = await browser.newContext({
    viewport: { width: settings.width, height: HEIGHT },
    colorScheme: settings.theme ?? "light",
    reducedMotion: "reduce",
    javaScriptEnabled: javascript,
    locale: "en-GB",
    timezoneId: "UTC",
  });
  context.setDefaultTimeout(60_000);
  watch(context, job, add);
  if (javascript) await context.addInitScript(watchLayoutShifts);
  if (settings.lateScripts) {
    await context.route(/\.js(\?|$)/, async (route) => {
      await pause(LATE_MS);
      await route.continue().catch(() => {});
    });
  }
  const tab = await context.newPage();
  return { context, tab };
}

/**
 * The two tabs of one worker, with JavaScript and without, kept from page to page: a new one costs as much as
 * most checks. `add` goes to the page at hand; what a page stored is cleared before the next.
 */
class Lane {
  constructor(browser, job) {
    this.browser = browser;
    this.job = job;
    this.tabs = new Map();
    this.add = () => {};
  }

  async load(page, { width, javascript }) {
    if (!this.tabs.has(javascript)) {
      const add = (check, message) => this.add(check, message);
      const lateScripts = javascript && this.job.has("shift");
      this.tabs.set(javascript, await openTab(this.browser, this.job, { width, javascript, lateScripts }, add));
    }
    const { tab } = this.tabs.get(javascript);
    await tab.setViewportSize({ width, height: HEIGHT });
    // Between two pages of one origin the browser would hold back the first paint of the second.
    await tab.goto("about:blank");
    await tab.goto(pageUrl(this.job.root, page), { waitUntil: "load" });
    return tab;
  }

  async leave() {
    for (const { tab } of this.tabs.values()) {
      await tab.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
    }
    this.add = () => {};
  }

  /** After trouble nothing of the old tabs can be trusted. */
  async close() {
    const open = [...this.tabs.values()];
    this.tabs.clear();
    for (const { context } of open) await context.close().catch(() => {});
  }
}

/** Reading a layout forces it, so one frame is enough for scripts that listen to the width. */
async function resize(tab, width) {
  await tab.setViewportSize({ width, height: HEIGHT });
  // Not `requestAnimationFrame`: with JavaScript off its callback never comes.
  await pause(34);
}

async function axeFaults(tab, runs, add) {
  await tab.evaluate(axeSource);
  for (const [width, theme] of runs) {
    await tab.emulateMedia({ colorScheme: theme });
    await resize(tab, width);
    const violations = await tab.evaluate(async () => {
      const found = await globalThis.axe.run(document, {
        preload: false,
        resultTypes: ["violations"],
        rules: { "target-size": { enabled: true } },
      });
      return found.violations.map((item) => ({
        id: item.id,
        help: item.help,
        nodes: item.nodes.slice(0, 3).map((node) => `${node.target.join(" ")}: ${node.failureSummary?.replace(/\s+/g, " ")}`),
        count: item.nodes.length,
      }));
    });
    for (const item of violations) {
      add("axe", `${item.id}: ${item.help} (${item.count} places); ${item.nodes.join(" | ")}`, `${width} px ${theme}`);
    }
  }
  await tab.emulateMedia({ colorScheme: "light" });
}

async function sideways(tab, widths, add, note = "") {
  for (const width of widths) {
    await resize(tab, width);
    for (const fault of await tab.evaluate(sidewaysFaults)) add(fault.check, fault.message, `${width} px${note}`);
  }
}

async function figures(tab, widths, add, seen, note = "") {
  for (const width of widths) {
    await resize(tab, width);
    const found = await tab.evaluate(figureTexts, { allowed: 1, smallest: 10 });
    seen.figures = Math.max(seen.figures, found.seen.figures);
    seen.texts = Math.max(seen.texts, found.seen.texts);
    for (const fault of found.faults) add(fault.check, fault.message, `${width} px${note}`);
  }
}

/** One load as a reader with this window gets it; the movement that was seen. */
async function loadOnce(lane, job, page, width) {
  const tab = await lane.load(page, { width, javascript: true });
  await tab.evaluate(settled, job.has("shift") ? QUIET_MS : 0);
  await tab.evaluate(scrollThrough);
  return { tab, shifts: job.has("shift") ? await tab.evaluate(() => globalThis.__layoutShifts) : { sum: 0 } };
}

/**
 * A page that moves is loaded again. What a style or a script moves moves every time; a busy machine may pause the
 * parser within a line, and then the rest of that line moves what was painted of it.
 */
async function load(lane, job, page, width, add) {
  const at = `load at ${width} px`;
  lane.add = (check, message) => add(check, message, at);
  let { tab, shifts } = await loadOnce(lane, job, page, width);
  for (let again = 1; again < LOADS && shifts.sum !== 0; again += 1) {
    ({ tab, shifts } = await loadOnce(lane, job, page, width));
  }
  if (shifts.sum !== 0) add("shift", `layout moved by ${shifts.sum}: ${shifts.sources.slice(0, 4).join(", ")}`, at);
  return tab;
}

function axeRuns(job, page) {
  if (job.axe === "all") return AXE_RUNS;
  return job.axe ?? [AXE_RUNS[job.pages.indexOf(page) % AXE_RUNS.length]];
}

async function lookClosely(tab, job, page, add, seen, links) {
  if (job.has("links")) for (const fault of await links.faults(tab)) add(fault.check, fault.message, "");
  if (job.has("sideways")) await sideways(tab, SIDEWAYS_WIDTHS, add);
  await tab.evaluate(openDetails);
  if (job.has("sideways")) await sideways(tab, SIDEWAYS_WIDTHS, add, ", folds open");
  if (job.has("figures")) await figures(tab, FIGURE_WIDTHS, add, seen);
  if (job.has("axe") && page.endsWith(".html")) await axeFaults(tab, axeRuns(job, page), add);
}

/** The same page for a reader without JavaScript: all panels show, so all figures can be looked at. */
async function lookWithoutScript(lane, job, page, report) {
  const { add, seen } = report;
  lane.add = (check, message) => add(check, message, "JavaScript off");
  const tab = await lane.load(page, { width: 1400, javascript: false });
  if (job.values) report.values = await tab.evaluate(readValues);
  if (!job.has("noscript")) return;
  const note = ", JavaScript off";
  if (job.has("sideways")) await sideways(tab, SIDEWAYS_WIDTHS, add, note);
  await tab.evaluate(openDetails);
  if (job.has("figures")) await figures(tab, FIGURE_WIDTHS, add, seen, note);
}

/** The result of `work`, or an error when it takes too long. */
async function inTime(work) {
  // Closing its tab makes abandoned work fail; by then nobody listens.
  work.catch(() => {});
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`not done after ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function checkPage(lane, job, page, links) {
  const faults = new Map();
  const report = {
    seen: { figures: 0, texts: 0 },
    values: undefined,
    // The same fault at several widths is one fault; `at` says where it was seen first.
    add: (check, message, at) => {
      const key = `${check}\0${message}`;
      const wanted = ["overlap", "small-text", "cut-text"].includes(check) ? "figures" : check;
      if (job.has(wanted) && !faults.has(key)) faults.set(key, { check, at, message });
    },
  };
  const look = async () => {
    if (job.checks.some((check) => check !== "noscript")) {
      let tab;
      for (const width of LOAD_WIDTHS) tab = await load(lane, job, page, width, report.add);
      await lookClosely(tab, job, page, report.add, report.seen, links);
    }
    if (job.values || job.has("noscript")) await lookWithoutScript(lane, job, page, report);
    await lane.leave();
  };
  try {
    await inTime(look());
  } catch (error) {
    faults.set("harness", { check: "harness", at: "", message: `the page could not be checked: ${error.message}` });
    await lane.close();
  }
  return { page, faults: [...faults.values()], seen: report.seen, values: report.values };
}

/** Acts of a reader in a fresh context: nothing remembered from elsewhere. */
async function runScript(browser, job, script) {
  const faults = [];
  const reads = {};
  const add = (check, message) => faults.push({ check, at: script.page, message });
  const settings = { width: script.width ?? 1400, theme: script.theme, javascript: script.javascript };
  const { context, tab } = await openTab(browser, job, settings, add);
  try {
    await tab.goto(pageUrl(job.root, script.page) + (script.hash ?? ""), { waitUntil: "load" });
    for (const fault of await inTime(runSteps(tab, script.steps, reads))) add(fault.check, fault.message);
  } catch (error) {
    add("harness", error.message);
  } finally {
    await context.close();
  }
  return { name: script.name, faults, reads };
}

async function main() {
  const started = Date.now();
  const job = JSON.parse(await readStdin());
  const known = ["root", "pages", "checks", "values", "axe", "fragments", "scripts", "workers"];
  for (const key of Object.keys(job)) if (!known.includes(key)) throw new Error(`unknown key "${key}" in the job`);
  job.checks ??= CHECKS;
  for (const check of job.checks) if (!CHECKS.includes(check)) throw new Error(`unknown check "${check}"`);
  job.has = (check) => job.checks.includes(check);
  if (job.pages === "all") {
    job.pages = pagesBelow(job.root);
    if (job.pages.length === 0) throw new Error(`no page below ${job.root}`);
  }
  const pages = (job.pages ??= []);
  const links = new Links(job.root, job.fragments);
  const browser = await launch();
  try {
    const workers = job.workers ?? 2;
    const report = {
      pages: await inParallel(pages, workers, (page, _, lane) => checkPage(lane, job, page, links), () => new Lane(browser, job)),
      scripts: await inParallel(job.scripts ?? [], workers, (script) => runScript(browser, job, script)),
    };
    report.milliseconds = Date.now() - started;
    process.stdout.write(`${JSON.stringify(report)}\n`);
  } finally {
    await browser.close();
  }
}

await main();
