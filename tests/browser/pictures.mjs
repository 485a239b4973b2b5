// Pictures of SVG files as a browser draws them. The job on stdin is
// {"scale": 2, "pictures": [{"svg": PATH, "png": PATH, "dark": false, "width": 992, "height": 677}, …]}.
import { pathToFileURL } from "node:url";
import { inParallel, launch, readStdin } from "./launch.mjs";

const job = JSON.parse(await readStdin());

async function shoot(browser, { svg, png, dark, width, height }) {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: job.scale,
    colorScheme: dark ? "dark" : "light",
  });
  const tab = await context.newPage();
  await tab.goto(pathToFileURL(svg).href, { waitUntil: "load" });
  const failed = await tab.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].filter((font) => font.status === "error").map((font) => font.family);
  });
  if (failed.length > 0) throw new Error(`${svg}: fonts that do not load: ${failed.join(", ")}`);
  await tab.screenshot({ path: png });
  await context.close();
}

const browser = await launch();
try {
  await inParallel(job.pictures, 2, (picture) => shoot(browser, picture));
} finally {
  await browser.close();
}
