//! perfolio reads saved performance evidence and publishes it as a static site. It never measures.
