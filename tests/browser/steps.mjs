// Acts of a reader, written as data: press, click, look, and say what was not as expected.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { explore } from "./explore.mjs";

const PATIENCE = 10_000;

/** Tries `look` until it returns null (all well) or patience ends; gives the last complaint. */
async function until(look) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const complaint = await look();
    if (complaint === null || Date.now() > end) return complaint;
    await new Promise((done) => setTimeout(done, 25));
  }
}

const quoted = (value) => JSON.stringify(value);

/** Compares a text with `equals`, `contains`, `matches` (regular expression) or `not`. */
function differs(what, text, rule) {
  if ("equals" in rule && text !== rule.equals) return `${what} is ${quoted(text)}, not ${quoted(rule.equals)}`;
  if ("not" in rule && text === rule.not) return `${what} is still ${quoted(text)}`;
  if ("contains" in rule && !(text ?? "").includes(rule.contains)) {
    return `${what} is ${quoted(text)} and does not contain ${quoted(rule.contains)}`;
  }
  if ("matches" in rule && !new RegExp(rule.matches, "u").test(text ?? "")) {
    return `${what} is ${quoted(text)} and does not match ${rule.matches}`;
  }
  return null;
}

const plain = (text) => (text ?? "").replace(/\s+/g, " ").trim();

/** The text of the first match as read aloud: white space folded. */
const textOf = async (tab, selector) => {
  const first = tab.locator(selector).first();
  return (await first.count()) === 0 ? null : plain(await first.textContent());
};

const options = { timeout: PATIENCE };

// One entry per kind of step. Each returns null or a complaint; `reads` collects what `read` found.
const KINDS = {
  press: async (tab, key) => (await tab.keyboard.press(key), null),
  type: async (tab, { selector, text }) => (await tab.locator(selector).first().fill(text, options), null),
  select: async (tab, { selector, value }) => (await tab.locator(selector).first().selectOption(value, options), null),
  focus: async (tab, selector) => (await tab.locator(selector).first().focus(options), null),
  click: async (tab, selector) => (await tab.locator(selector).first().click(options), null),
  hover: async (tab, step) => {
    const { selector, ...more } = typeof step === "string" ? { selector: step } : step;
    await tab.locator(selector).first().hover({ ...options, ...more });
    return null;
  },
  reload: async (tab) => (await tab.reload(), null),
  back: async (tab) => (await tab.goBack(), null),
  hash: async (tab, hash) => {
    await tab.evaluate((value) => void (location.hash = value), hash);
    return null;
  },
  width: async (tab, width) => (await tab.setViewportSize({ width, height: 900 }), null),
  theme: async (tab, theme) => (await tab.emulateMedia({ colorScheme: theme }), null),
  media: async (tab, media) => (await tab.emulateMedia({ media }), null),
  expectText: (tab, rule) =>
    until(async () => {
      const text = await textOf(tab, rule.selector);
      if (text === null) return `nothing matches ${rule.selector}`;
      return differs(`text of ${rule.selector}`, text, rule);
    }),
  attr: (tab, rule) =>
    until(async () => {
      const first = tab.locator(rule.selector).first();
      if ((await first.count()) === 0) return `nothing matches ${rule.selector}`;
      return differs(`${rule.name} of ${rule.selector}`, await first.getAttribute(rule.name), rule);
    }),
  style: (tab, rule) =>
    until(async () => {
      const first = tab.locator(rule.selector).first();
      if ((await first.count()) === 0) return `nothing matches ${rule.selector}`;
      const value = await first.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), rule.name);
      return differs(`style ${rule.name} of ${rule.selector}`, value, rule);
    }),
  count: (tab, { selector, equals }) =>
    until(async () => {
      const found = await tab.locator(selector).count();
      return found === equals ? null : `${selector} matches ${found} elements, not ${equals}`;
    }),
  visible: (tab, step) => {
    const { selector, equals = true } = typeof step === "string" ? { selector: step } : step;
    return until(async () => {
      const shown = await tab.locator(selector).first().isVisible();
      return shown === equals ? null : `${selector} is ${shown ? "shown" : "not shown"}`;
    });
  },
  focused: (tab, selector) =>
    until(async () => {
      const found = await tab.evaluate((wanted) => {
        const active = document.activeElement;
        return active?.matches(wanted) ? null : (active?.outerHTML ?? "nothing").slice(0, 120);
      }, selector);
      return found === null ? null : `focus is not on ${selector} but on ${found}`;
    }),
  explore,
  // What a click saves, by the name of the file and the SHA-256 of its bytes.
  download: async (tab, { click, name, sha256 }) => {
    const [saved] = await Promise.all([tab.waitForEvent("download", options), tab.locator(click).first().click(options)]);
    const found = createHash("sha256").update(await readFile(await saved.path())).digest("hex");
    if (saved.suggestedFilename() !== name) return `the file is called ${saved.suggestedFilename()}, not ${name}`;
    return found === sha256 ? null : `the bytes of ${name} are others than expected`;
  },
  url: (tab, rule) => until(async () => differs("the address", tab.url(), rule)),
  read: async (tab, { name, selector, attr }, reads) => {
    const all = tab.locator(selector);
    reads[name] = await all.evaluateAll(
      (elements, wanted) =>
        elements.map((element) =>
          wanted ? element.getAttribute(wanted) : (element.textContent ?? "").replace(/\s+/g, " ").trim(),
        ),
      attr ?? null,
    );
    return null;
  },
};

/** Runs steps in order; stops at the first that fails, because the others would stand on it. */
export async function runSteps(tab, steps, reads) {
  for (const [index, step] of steps.entries()) {
    const [kind, ...others] = Object.keys(step);
    const act = KINDS[kind];
    let complaint;
    if (!act || others.length > 0) complaint = `unknown step; kinds are ${Object.keys(KINDS).join(", ")}`;
    else {
      try {
        complaint = await act(tab, step[kind], reads);
      } catch (error) {
        complaint = String(error.message).split("\n")[0];
      }
    }
    if (complaint !== null) return [{ check: "steps", message: `step ${index + 1} ${JSON.stringify(step)}: ${complaint}` }];
  }
  return [];
}
