/** The fragment of the address as keys and values: `#tab=history&point=…`. */
const perfolioFragment = {
  /** The value of `key`; null when the fragment does not hold it. */
  get(key) {
    return location.hash.includes("=") ? new URLSearchParams(location.hash.slice(1)).get(key) : null;
  },
  /** Sets `key`, or takes it out when `value` is null, without a new entry in the history. */
  set(key, value) {
    const pairs = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    if (value === null) pairs.delete(key);
    else pairs.set(key, value);
    const text = pairs.toString();
    try {
      history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
    } catch {
      // Some browsers refuse it for files; the page works without.
    }
  },
};
