import { trimEdges } from "../../core/trim-edges.ts";

/** An owner's decision about a request for friendship or a group. */
export interface RequestWords {
  readonly code: string;
  readonly accept: boolean;
}

const words: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(["同意", "通过", "通過", "接受", "批准", "accept", "承認", "許可"].map((word) => [word, true])),
  ...Object.fromEntries(["拒绝", "拒絕", "不同意", "拒否", "decline", "reject"].map((word) => [word, false])),
};

const edge = /^[\s\p{Cf}]$/u;
const maxLength = 40;
/** Codes of questions end in one digit after letters; these cannot be one. */
const answer = /^([^\s\d]{2,10}) ?([fg]\d{3})$/u;

/** 「同意 F123」 and nothing else; undefined = it is ordinary talk. */
export function readRequestAnswer(text: string): RequestWords | undefined {
  const edged = trimEdges(text, edge);
  if (edged.length > maxLength) return undefined;
  const [, said = "", code = ""] =
    answer.exec(
      edged
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[。.!]$/u, ""),
    ) ?? [];
  const word = said.endsWith(code.slice(0, 1)) && !Object.hasOwn(words, said) ? said.slice(0, -1) : said;
  return Object.hasOwn(words, word) ? { code: code.toUpperCase(), accept: words[word] === true } : undefined;
}

/** The answer of a pressed button to a request. */
export function readRequestPress(data: string): { readonly id: string; readonly accept: boolean } | undefined {
  const [, id, choice] = /^r:(\w{1,60}):([yn])$/.exec(data) ?? [];
  return id === undefined ? undefined : { id, accept: choice === "y" };
}
