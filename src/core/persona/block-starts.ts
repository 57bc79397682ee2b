/** Recognises where something that is no sentence begins in the middle of a text: a tag block or JSON. */

const tagNames = new Set(
  `think thinking thought thoughts reasoning reflection scratchpad inner_monologue tool_call tool_calls tool_use
  tool_code tool_response tool_result function_call function_calls function invoke parameter`.split(/\s+/),
);

/** Where a tag block ends: after its closing tag, or for special tokens such as `<|channel|>` at the end of the paragraph. */
export interface BlockTag {
  readonly name: string;
  readonly end: RegExp;
  readonly side: "before" | "after";
}

export function opensBlockTag(text: string, index: number, final: boolean): BlockTag | "no" | "undecided" {
  const head = /^<(\/?)(?:[a-z]{1,20}:)?([a-z_]{0,20})/i.exec(text.slice(index, index + 50));
  if (head === null) return "no";
  const after = text.charAt(index + head[0].length);
  if (after === "" && !final) return "undecided";
  if (head[0] === "<" && /[|｜]/.test(after)) {
    const next = text.charAt(index + 2);
    if (next === "" && !final) return "undecided";
    return /[\p{L}\p{N}_▁]/u.test(next) ? { name: "token", end: /\n[ \t]*\n/g, side: "before" } : "no";
  }
  const name = (head[2] ?? "").toLowerCase();
  if (!tagNames.has(name) || !/^[\s>=/]?$/.test(after)) return "no";
  if (head[1] === "/") return { name, end: />|(?=\n)/g, side: "after" };
  return { name, end: new RegExp(`</(?:[a-z]{1,20}:)?${name}\\s*>`, "gi"), side: "after" };
}

/** JSON begins with a quoted key, or a list of objects with one. */
export function opensJson(text: string, index: number, final: boolean): "yes" | "no" | "undecided" {
  const head = /^(?:\{\s*|\[\s*(?:\{\s*)?)/.exec(text.slice(index, index + 200))?.[0] ?? "";
  const next = text.charAt(index + head.length);
  if (next === "" && !final) return "undecided";
  return head.includes("{") && next === '"' ? "yes" : "no";
}

/** The end of the JSON value at `index`, not counting brackets in strings. */
export function findBalancedEnd(text: string, index: number, limit: number): number | "open" | "too long" {
  let depth = 0;
  let inString = false;
  for (let position = index; position < text.length; position += 1) {
    if (position - index > limit) return "too long";
    const character = text.charAt(position);
    if (inString) {
      if (character === "\\") position += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return position + 1;
    }
  }
  return "open";
}
