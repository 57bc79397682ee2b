import type { JsonObject } from "../../core/conversation.ts";
import type { PhraseKey } from "./phrase-keys.ts";
import type { ToolReport } from "./read-conversation.ts";
import type { Request } from "./read-request.ts";

type Values = Readonly<Record<string, string | number>>;

/** A rule's reading of the person's words: something to do or to say. */
export type Wish =
  | Call
  /** Answered at once, without a tool. */
  | { readonly kind: "say"; readonly key: PhraseKey; readonly values?: Values }
  /** The arguments the person wrote out are no JSON object. */
  | { readonly kind: "faulty"; readonly tool: string };

export interface Call {
  readonly kind: "call";
  /** All are made at once. */
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
  /** The next step after the results: another call, or words in place of the default ones. */
  readonly next?: (reports: readonly ToolReport[]) => Wish | undefined;
  /** Followed instead when a tool of `calls` is not offered. */
  readonly otherwise?: Call;
  /** Said above the results. */
  readonly heading?: Extract<Wish, { kind: "say" }>;
}

export const call = (name: string, args: JsonObject = {}, next?: Call["next"]): Call => ({
  kind: "call",
  calls: [{ name, arguments: args }],
  ...(next && { next }),
});

export const say = (key: PhraseKey, values: Values = {}): Extract<Wish, { kind: "say" }> => ({
  kind: "say",
  key,
  values,
});

/** A part of the request between two marks of punctuation. */
export interface Clause {
  /** From its first word that is no courtesy, to the end of the whole request. */
  readonly text: string;
  /** Characters of `text` that are in the clause itself; a rule has to begin there. */
  readonly length: number;
  readonly at: number;
  readonly request: Request;
}

export interface Rule {
  /** act = changes something or runs a command; a question, a condition or a report of it is no order. */
  readonly kind: "act" | "look" | "ask";
  readonly forms: readonly RegExp[];
  readonly read: (found: Found) => Wish | undefined;
}

/** A form that was found in a clause. */
export interface Found {
  readonly clause: Clause;
  /** The whole place, with marks. */
  readonly words: string;
  /** A named group as it was written, a quotation without its marks; "" when it is not there. */
  part(name: string): string;
  /** The text of the n-th mark of that kind in the place, or else in the request. */
  named(mark: string, index?: number): string | undefined;
}

/** The first of a rule's forms in a clause, read. */
export function applyRule(rule: Rule, clause: Clause): Wish | undefined {
  for (const form of rule.forms) {
    const match = form.exec(clause.text);
    if (match === null || match.index >= clause.length) continue;
    const wish = rule.read(describeMatch(form, match, clause));
    if (wish !== undefined) return wish;
  }
  return undefined;
}

function describeMatch(form: RegExp, match: RegExpExecArray, clause: Clause): Found {
  const { at, request, text } = clause;
  const groups = new RegExp(form.source, `${form.flags}d`).exec(text)?.indices?.groups;
  const end = match.index + match[0].length;
  return {
    clause,
    words: match[0],
    part(name) {
      const [from, to] = groups?.[name] ?? [0, 0];
      if (from === to) return "";
      const shown = text.slice(from, to).trim();
      const first = from + text.slice(from, to).indexOf(shown);
      if (/^[BFQU]$/.test(shown)) return request.named(at + first);
      return request.original(at + from, to === text.length ? undefined : at + to).trim();
    },
    named(mark, index = 0) {
      const inPlace = findMarks(text.slice(match.index, end), mark).map((place) => place + match.index + at);
      const place = [...inPlace, ...(inPlace.length === 0 ? findMarks(request.text, mark) : [])][index];
      return place === undefined ? undefined : request.named(place);
    },
  };
}

function findMarks(text: string, mark: string): number[] {
  return Array.from(text.matchAll(new RegExp(mark, "g")), ({ index }) => index);
}

const courtesyAtEnd =
  /(?:[\s，,。.！!？?~～]|吧|呗|哦|喔|好吗|好不好|可以吗|行吗|谢谢你?|多谢|拜托了?|please|thanks|thank you|for me|お願い(?:します)?)$/i;

/** Asking nicely belongs to no name and no query. */
export function takeOffCourtesies(text: string): string {
  let short = text.trim();
  for (let left = 6; left > 0 && courtesyAtEnd.test(short.slice(-20)); left -= 1)
    short = short.slice(0, -20) + short.slice(-20).replace(courtesyAtEnd, "");
  return short.trim();
}
