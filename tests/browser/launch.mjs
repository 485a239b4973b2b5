// Starts Debian's Chromium so that nothing it does by itself can reach a network.
import { chromium } from "playwright-core";

const FLAGS = [
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  // Every host name fails at once: a page that asks for one is reported, and nothing leaves the machine.
  "--host-resolver-rules=MAP * ~NOTFOUND",
];

/** One browser; PERFOLIO_CHROMIUM names the program when it is not Debian's. */
export async function launch() {
  return chromium.launch({
    executablePath: process.env.PERFOLIO_CHROMIUM || "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
  });
}

/** Everything on stdin as text. */
export async function readStdin() {
  const parts = [];
  for await (const part of process.stdin) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

/**
 * Runs `work(item, index, own)` over `items` with at most `workers` at a time and keeps the order of the results.
 * `own` is what `prepare` made for the worker.
 */
export async function inParallel(items, workers, work, prepare = () => null) {
  const results = new Array(items.length);
  let next = 0;
  const worker = async () => {
    const own = prepare();
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index], index, own);
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, items.length) }, worker));
  return results;
}
