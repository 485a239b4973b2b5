// Pictures of pages, for eyes: node shots.mjs ROOT OUT PAGE[@WIDTH][@dark][@print][@noscript][@fold] …
//
// PAGE is a path below ROOT, or `all`. Each picture shows the whole page; `@fold` only the first screen.
// Written as OUT/<page with - for />@<width>@….png. Without a width: 1400.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pagesBelow, pageUrl } from "./files.mjs";
import { scrollThrough, settled } from "./in-page.mjs";
import { inParallel, launch } from "./launch.mjs";

const WORDS = ["dark", "print", "noscript", "fold"];

function parse(wish) {
  const [page, ...words] = wish.split("@");
  const settings = { page, width: 1400 };
  for (const word of words) {
    if (/^\d+$/.test(word)) settings.width = Number(word);
    else if (WORDS.includes(word)) settings[word] = true;
    else throw new Error(`"${word}" in ${wish} is neither a width nor one of ${WORDS.join(", ")}`);
  }
  return settings;
}

async function shoot(browser, root, out, { page, width, dark, print, noscript, fold }) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    javaScriptEnabled: !noscript,
  });
  const tab = await context.newPage();
  await tab.goto(pageUrl(root, page), { waitUntil: "load" });
  if (print) await tab.emulateMedia({ media: "print" });
  if (!noscript) {
    await tab.evaluate(settled, 50);
    await tab.evaluate(scrollThrough);
  }
  const words = [page.replaceAll("/", "-"), width, dark && "dark", print && "print", noscript && "noscript", fold && "fold"];
  const path = join(out, `${words.filter(Boolean).join("@")}.png`);
  await tab.screenshot({ path, fullPage: !fold });
  await context.close();
  return path;
}

const [root, out, ...wishes] = process.argv.slice(2);
if (!root || !out || wishes.length === 0) {
  process.stderr.write("usage: node shots.mjs ROOT OUT PAGE[@WIDTH][@dark][@print][@noscript][@fold] …\n");
  process.exit(2);
}
const folder = resolve(root);
const settings = wishes
  .map(parse)
  .flatMap((wish) => (wish.page === "all" ? pagesBelow(folder).map((page) => ({ ...wish, page })) : [wish]));
mkdirSync(out, { recursive: true });
const browser = await launch();
try {
  const paths = await inParallel(settings, 2, (wish) => shoot(browser, folder, out, wish));
  process.stdout.write(`${paths.join("\n")}\n`);
} finally {
  await browser.close();
}
