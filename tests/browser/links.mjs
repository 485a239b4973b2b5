// Every address that a page writes must lead to something that exists.
import { readFileSync } from "node:fs";
import { kindOf, pathInside } from "./files.mjs";

/** Runs in the page: all written addresses, resolved as the browser resolves them. */
export function collectAddresses() {
  const found = [];
  const add = (element, name) => {
    const written = element.getAttribute(name);
    if (written === null) return;
    let resolved = null;
    try {
      resolved = new URL(written, document.baseURI).href;
    } catch {
      // Reported as unreadable by the caller.
    }
    const rel = (element.getAttribute("rel") ?? "").toLowerCase().split(/\s+/);
    found.push({ tag: element.localName, name, written, resolved, rel });
  };
  for (const element of document.querySelectorAll("[href]")) add(element, "href");
  for (const element of document.querySelectorAll("[src]")) add(element, "src");
  for (const element of document.querySelectorAll("form[action]")) add(element, "action");
  return found;
}

/** Runs in a page: the anchors of a document given as text. No script of it runs, nothing of it loads. */
function anchorsOf({ text, type }) {
  const parsed = new DOMParser().parseFromString(text, type);
  const names = [...parsed.querySelectorAll("[id]")].map((element) => element.id);
  for (const element of parsed.querySelectorAll("a[name]")) names.push(element.getAttribute("name"));
  return names;
}

/** Checks addresses and remembers the anchors of each target for all pages of a job. */
export class Links {
  /** `stateFragments`: a regular expression of fragments that scripts read and no element carries. */
  constructor(root, stateFragments) {
    this.root = root;
    this.stateFragments = stateFragments ? new RegExp(stateFragments, "u") : null;
    this.anchors = new Map();
  }

  async anchorsIn(path, tab) {
    if (!this.anchors.has(path)) {
      const type = path.endsWith(".svg") ? "image/svg+xml" : "text/html";
      const read = tab.evaluate(anchorsOf, { text: readFileSync(path, "utf8"), type });
      this.anchors.set(path, read.then((names) => new Set(names)));
    }
    return this.anchors.get(path);
  }

  /** What is wrong with the addresses of the page open in `tab`, as `{check, message}`. */
  async faults(tab) {
    const faults = [];
    for (const address of await tab.evaluate(collectAddresses)) {
      const message = await this.faultOf(address, tab);
      if (message) faults.push(message);
    }
    return faults;
  }

  async faultOf({ tag, name, written, resolved, rel }, tab) {
    const fault = (check, why) => ({ check, message: `<${tag} ${name}="${written}">: ${why}` });
    if (resolved === null) return fault("links", "not a readable address");
    const url = new URL(resolved);
    if (["data:", "blob:"].includes(url.protocol)) return null;
    if (url.protocol !== "file:") {
      if (url.protocol === "javascript:") return fault("links", "script in an address");
      const plainLink = name === "href" && (tag === "a" || tag === "area");
      // canonical, license and the like only name an address; these make the browser open it.
      const opens = ["stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "manifest"];
      if (plainLink || (tag === "link" && !rel.some((word) => opens.includes(word)))) return null;
      return fault("requests", "asks for something outside the site");
    }
    const path = pathInside(this.root, resolved);
    if (path === null) return fault("links", "leads out of the site or cannot be read as a path");
    const kind = kindOf(path);
    if (kind === "missing") return fault("links", "no such file");
    if (kind === "folder") return fault("links", "leads to a folder; from disk that is no page");
    const fragment = url.hash.slice(1);
    if (fragment === "" || fragment.toLowerCase() === "top" || !/\.(html|svg)$/.test(path)) return null;
    if (this.stateFragments?.test(fragment)) return null;
    const anchors = await this.anchorsIn(path, tab);
    let decoded = fragment;
    try {
      decoded = decodeURIComponent(fragment);
    } catch {
      // A browser then compares the fragment as it is written.
    }
    return anchors.has(fragment) || anchors.has(decoded) ? null : fault("links", "no element has this id");
  }
}
