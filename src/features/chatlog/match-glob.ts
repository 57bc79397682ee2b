/** Compiles a search text of a person or a model: `*` matches any characters, `?` one, all others themselves. */
export function createGlob(pattern: string): (text: string) => boolean {
  const wanted = pattern.replaceAll(/\*+/g, "*");
  if (!/[*?]/.test(wanted)) return (text) => text.includes(wanted);
  return (text) => matches(wanted, text);
}

/** Goes back to the last star only, so its time is at most the product of two short lengths; nothing is compiled. */
function matches(pattern: string, text: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let held = 0;
  while (at < text.length) {
    if (from < pattern.length && pattern.charAt(from) === "*") {
      star = from;
      held = at;
      from += 1;
    } else if (from < pattern.length && (pattern.charAt(from) === "?" || pattern.charAt(from) === text.charAt(at))) {
      from += 1;
      at += 1;
    } else if (star >= 0) {
      held += 1;
      at = held;
      from = star + 1;
    } else return false;
  }
  return pattern.slice(from).replaceAll("*", "") === "";
}
