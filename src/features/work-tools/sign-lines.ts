import type { CallDiff } from "../../kernel/gate/types.ts";

export function signLines(text: string, sign: "+" | "-"): CallDiff["lines"] {
  if (text === "") return [];
  return text.split("\n").map((line) => ({ sign, text: line }));
}

/** The lines of a unified diff as they are, whatever they say. */
export function readSigns(patch: string): CallDiff["lines"] {
  return patch.split("\n").map((line) => {
    const first = line.charAt(0);
    const isLine =
      (first === "+" || first === "-" || first === " ") && !line.startsWith("+++ ") && !line.startsWith("--- ");
    return isLine ? { sign: first, text: line.slice(1) } : { sign: "@", text: line };
  });
}
