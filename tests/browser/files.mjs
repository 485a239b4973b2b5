// Files of the site under test: which pages it has, and which addresses lie inside it.
import { readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Every file below `root` with one of the `extensions`, as sorted paths with `/`. */
export function pagesBelow(root, extensions = [".html"]) {
  const found = [];
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (extensions.some((extension) => entry.name.endsWith(extension))) {
        found.push(relative(root, path).split(sep).join("/"));
      }
    }
  };
  walk(root);
  return found.sort((a, b) => (a < b ? -1 : Number(a > b)));
}

/** The address of a page; names with spaces, `#`, `%` and any script are escaped. */
export function pageUrl(root, page) {
  return pathToFileURL(join(root, ...page.split("/"))).href;
}

/** The path that a `file:` address names, or null when it names none or one outside `root`. */
export function pathInside(root, address) {
  let path;
  try {
    const url = new URL(address);
    if (url.protocol !== "file:" || url.host !== "") return null;
    url.search = "";
    url.hash = "";
    path = fileURLToPath(url);
  } catch {
    return null;
  }
  const inside = (base, candidate) => {
    const way = relative(base, candidate);
    return way === "" || (!way.startsWith("..") && !way.startsWith(sep));
  };
  if (!inside(root, path)) return null;
  try {
    // A link inside the folder may still lead out of it.
    return inside(realpathSync(root), realpathSync(path)) ? path : null;
  } catch {
    return path;
  }
}

/** "file", "folder" or "missing". */
export function kindOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return "missing";
  return stat.isDirectory() ? "folder" : "file";
}
