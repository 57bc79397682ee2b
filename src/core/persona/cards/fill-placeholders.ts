import type { Language } from "../../conversation.ts";

/** The values that placeholders are filled with. */
interface Names {
  readonly char: string;
  readonly user: string;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
}

/** A placeholder that is open: what it holds so far, with the placeholders inside filled. */
interface Frame {
  body: string;
  readonly isComment: boolean;
}

/** Longer ones stay as they are; comments may be of any length. */
const maxBody = 2_000;
const maxDice = 100;

/** The one to whom a card speaks: a prompt serves many people, and when a card is imported no name is known. */
export const otherPerson: Readonly<Record<Language, string>> = { zh: "对方", en: "the other person", ja: "相手" };

/**
 * Fills what cards leave open (Character Card V3, "Curly braced syntaxes"): {{char}}, {{user}}, {{random:A,B}}, {{pick:A,B}},
 * {{roll:2d6+1}}, {{reverse:text}}, the old <BOT> and <USER>, one inside another, too; comments and hidden keys go. Unknown ones
 * stay as they are. The text is read once: a name that looks like a placeholder is not filled again.
 */
export function fillPlaceholders(text: string, names: Names): string {
  return fillAround(text, names).join("");
}

/**
 * Splits the text at its first {{original}}, the place of the text that it replaces; `after` is absent when there is no such
 * placeholder. Inside another placeholder, or a second time, {{original}} is empty.
 */
export function fillAround(text: string, names: Names): readonly [before: string, after?: string] {
  const source = text.replaceAll(/<BOT>/gi, "{{char}}").replaceAll(/<USER>/gi, "{{user}}");
  const outside: [string, string?] = [""];
  const frames: Frame[] = [];
  const add = (piece: string): void => {
    const frame = frames.at(-1);
    if (frame !== undefined) frame.body += piece;
    else if (outside.length > 1) outside[1] = (outside[1] ?? "") + piece;
    else outside[0] += piece;
  };
  const close = ({ body, isComment }: Frame): void => {
    if (isComment) return;
    const isOriginal = body.length < maxBody && body.trim().toLowerCase() === "original";
    if (isOriginal && frames.length === 0 && outside.length === 1) outside.push("");
    else if (!isOriginal) add(body.length > maxBody ? `{{${body}}}` : fillOne(body, names));
  };
  let at = 0;
  for (const { 0: brackets, index } of source.matchAll(/\{{2,}|\}{2,}/g)) {
    add(source.slice(at, index));
    at = index + brackets.length;
    if (brackets.startsWith("{")) {
      // The last two of three or more brackets open a placeholder: {{{char}} is a bracket and a placeholder.
      add("{".repeat(brackets.length - 2));
      const isInComment = frames.at(-1)?.isComment ?? false;
      frames.push({ body: "", isComment: isInComment || /^\s*\/\//.test(source.slice(at, at + 20)) });
    } else at = index + closeAll(brackets.length);
  }
  add(source.slice(at));
  // A placeholder that is never closed is text.
  while (frames.length > 0) {
    const { body } = frames.pop() ?? { body: "" };
    add(`{{${body}`);
  }
  return outside;

  /** Closes as many placeholders as the brackets are for; returns how many brackets were read. */
  function closeAll(count: number): number {
    let left = count;
    while (left >= 2) {
      const frame = frames.pop();
      if (frame === undefined) break;
      left -= 2;
      close(frame);
    }
    add("}".repeat(left));
    return count;
  }
}

function fillOne(inside: string, { char, random, user }: Names): string {
  const whole = `{{${inside}}}`;
  const body = inside.trim();
  const colon = body.indexOf(":");
  const name = (colon < 0 ? body : body.slice(0, colon)).trim().toLowerCase();
  const given = colon < 0 ? "" : body.slice(colon + 1);
  switch (name) {
    case "char":
      return char;
    case "user":
      return user;
    case "random":
    case "pick": {
      const choices = splitChoices(given);
      return colon < 0 ? whole : (choices[Math.floor(random() * choices.length)] ?? "");
    }
    case "roll":
      return roll(given, random) ?? whole;
    case "reverse":
      return Array.from(given).toReversed().join("");
    case "comment":
    case "hidden_key":
      return "";
    default:
      return whole;
  }
}

/** `a,b`, where `\,` is a comma of the choice itself, or `:a::b` (of {{random::a::b}}). */
function splitChoices(listed: string): readonly string[] {
  if (listed.startsWith(":"))
    return listed
      .slice(1)
      .split("::")
      .map((choice) => choice.trim());
  return listed.split(/(?<!\\),/).map((choice) => choice.replaceAll("\\,", ",").trim());
}

/** `d6`, `2d6`, `2d6+1` or `6`; undefined = it is no roll. */
function roll(given: string, random: () => number): string | undefined {
  const read = /^:?\s*(?:(\d{0,3})d)?(\d{1,6})([+-]\d{1,6})?\s*$/i.exec(given);
  if (read === null) return undefined;
  const [, dice = "", sides = "1", more = "0"] = read;
  const count = Math.min(maxDice, Number(dice === "" ? 1 : dice));
  let sum = Number(more);
  for (let die = 0; die < count; die += 1) sum += 1 + Math.floor(random() * Math.max(1, Number(sides)));
  return String(sum);
}
