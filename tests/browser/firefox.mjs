// Explores a figure in a stock Firefox: node firefox.mjs PROGRAM FOLDER ADDRESS ID
//
// Speaks Firefox's own remote protocol (Marionette: JSON with a length in front, over a local socket), so that no
// driver is needed. FOLDER becomes the profile. Prints {points, reading, errors} as JSON.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

const PATIENCE_MS = 90_000;
const [program, folder, address, id] = process.argv.slice(2);
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Repeats `look` until it gives something. */
async function until(what, look) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what}: not after ${PATIENCE_MS / 1000} s`);
    await pause(100);
  }
}

/** Commands to the browser, one at a time. */
class Remote {
  constructor(socket) {
    this.socket = socket;
    this.rest = Buffer.alloc(0);
    this.waiting = [];
    this.last = 0;
    socket.on("data", (bytes) => {
      this.rest = Buffer.concat([this.rest, bytes]);
      for (;;) {
        const colon = this.rest.indexOf(58);
        const length = Number(this.rest.subarray(0, colon));
        if (colon < 0 || this.rest.length < colon + 1 + length) return;
        const message = JSON.parse(this.rest.subarray(colon + 1, colon + 1 + length));
        this.rest = this.rest.subarray(colon + 1 + length);
        // The greeting is an object, answers are lists.
        if (Array.isArray(message)) this.waiting.shift()(message);
      }
    });
  }

  async ask(name, parameters = {}) {
    const text = JSON.stringify([0, (this.last += 1), name, parameters]);
    const answer = new Promise((done) => this.waiting.push(done));
    this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [, , error, result] = await answer;
    if (error) throw new Error(`${name}: ${error.message}`);
    return result;
  }

  async run(script, args = []) {
    return (await this.ask("WebDriver:ExecuteScript", { script, args, sandbox: null })).value;
  }
}

const COUNT = `
  const area = document.getElementById(arguments[0]).querySelector(".explored-plot");
  const plot = area && (area.wrappedJSObject || area);
  if (!plot || !plot.data || !area.querySelector(".modebar-btn[role]")) return null;
  let points = 0;
  for (const trace of plot.data) if (!trace.yaxis) for (const value of trace.y) if (value !== null) points += 1;
  return { points, drawn: area.querySelectorAll(".scatterlayer .point").length };`;

// Errors of pages from a disk; the browser's own are not ours.
const ERRORS = `
  return Services.console.getMessageArray()
    .filter((one) => one instanceof Ci.nsIScriptError && !(one.flags & 1) && one.sourceName.startsWith("file:"))
    .map((one) => one.errorMessage);`;

writeFileSync(join(folder, "user.js"), 'user_pref("marionette.port", 0);\nuser_pref("browser.shell.checkDefaultBrowser", false);\n');
const browser = spawn(program, ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", folder], { stdio: "ignore" });
try {
  const portFile = join(folder, "MarionetteActivePort");
  await until("Firefox listens", () => existsSync(portFile) && readFileSync(portFile, "utf8").trim());
  const socket = connect(Number(readFileSync(portFile, "utf8")), "127.0.0.1");
  await new Promise((done, fail) => socket.once("connect", done).once("error", fail));
  const remote = new Remote(socket);
  await remote.ask("WebDriver:NewSession", {});
  await remote.ask("WebDriver:Navigate", { url: address });
  const using = "css selector";
  const { value: button } = await remote.ask("WebDriver:FindElement", { using, value: `[id="${id}"] button.explore` });
  await remote.ask("WebDriver:ElementClick", { id: Object.values(button)[0] });
  const found = await until("the figure is explored", () => remote.run(COUNT, [id]));
  await remote.run("document.querySelector('.explored-plot').focus()");
  await remote.ask("WebDriver:PerformActions", {
    actions: [{ type: "key", id: "keys", actions: [{ type: "keyDown", value: "\uE010" }, { type: "keyUp", value: "\uE010" }] }],
  });
  const reading = await remote.run(`return document.getElementById(arguments[0]).querySelector(".reading").textContent`, [id]);
  await remote.ask("Marionette:SetContext", { value: "chrome" });
  const errors = await remote.run(ERRORS);
  process.stdout.write(`${JSON.stringify({ ...found, reading, errors })}\n`);
  socket.destroy();
} finally {
  browser.kill();
  await new Promise((done) => (browser.exitCode !== null || browser.signalCode !== null ? done() : browser.once("exit", done)));
}
