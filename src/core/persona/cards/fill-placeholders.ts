/**
 * Fills what cards leave open (Character Card V3, "Curly braced syntaxes"): {{char}}, {{user}}, {{random:A,B}}, {{pick:A,B}},
 * {{roll:d6}}, {{reverse:text}}, the old <BOT> and <USER>; comments and hidden keys go. Unknown ones stay as they are.
 */
export function fillPlaceholders(
  text: string,
  names: {
    readonly char: string;
    readonly user: string;
    /** {{original}}: what the card's text takes the place of. */
    readonly original?: string;
    /** From 0 up to, not including, 1. */
    readonly random: () => number;
  },
): string {
  const choose = (listed: string): string => {
    const choices = splitChoices(listed);
    return choices[Math.floor(names.random() * choices.length)] ?? "";
  };
  const filled = text.replace(/\{\{([^{}]{0,2000})\}\}/g, (whole, inner: string) => {
    const body = inner.trim();
    if (body.startsWith("//")) return "";
    const colon = body.indexOf(":");
    const name = (colon < 0 ? body : body.slice(0, colon)).trim().toLowerCase();
    const given = colon < 0 ? "" : body.slice(colon + 1);
    switch (name) {
      case "char":
        return names.char;
      case "user":
        return names.user;
      case "original":
        return names.original ?? "";
      case "random":
      case "pick":
        return colon < 0 ? whole : choose(given);
      case "roll":
        return String(1 + Math.floor(names.random() * readSides(given)));
      case "reverse":
        return Array.from(given).toReversed().join("");
      case "comment":
      case "hidden_key":
        return "";
      default:
        return whole;
    }
  });
  return filled.replaceAll(/<BOT>/gi, () => names.char).replaceAll(/<USER>/gi, () => names.user);
}

/** `\,` is a comma of the choice itself. */
function splitChoices(listed: string): readonly string[] {
  return listed.split(/(?<!\\),/).map((choice) => choice.replaceAll("\\,", ",").trim());
}

/** `d6` or `6`; at least one side. */
function readSides(given: string): number {
  const sides = Number(/^\s*d?(\d{1,6})\s*$/i.exec(given)?.[1] ?? 1);
  return Math.max(1, sides);
}
