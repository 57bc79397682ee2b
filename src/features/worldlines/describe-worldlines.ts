import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Language } from "../../core/conversation.ts";
import { joinSentences } from "../../core/words/join-sentences.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Branch, Point } from "./branches.ts";
import { worldlineWords } from "./words.ts";

const maxCharacters = 24;

/** The first words of a message, in one line. */
export function shortenWords(text: string): string {
  const letters = Array.from(makeVisible(text.replaceAll(/\s+/g, " ").trim()));
  return letters.length <= maxCharacters ? letters.join("") : `${letters.slice(0, maxCharacters).join("")}…`;
}

/** Lists the points of the current branch with a mark at the newest, then the other branches with the command that goes there. */
export function describeWorldlines(view: {
  readonly points: readonly Point[];
  readonly current: number;
  readonly others: readonly Branch[];
  readonly inGroup: boolean;
  readonly zone: string;
  readonly now: number;
  readonly language: Language;
}): string {
  const { points, others } = view;
  const texts = worldlineWords[view.language];
  const tell = createTimeWords(view.zone, view.now);
  const first = points[0]?.number ?? 0;
  const width = String(points.at(-1)?.number ?? 0).length;
  const listed = points.map((point) => {
    const speaker = view.inGroup ? `${shortenWords(point.senderName)} ` : "";
    const line = `  ${String(point.number).padStart(width)}  ${tell(point.at)}  ${speaker}「${shortenWords(point.text)}」`;
    return point === points.at(-1) ? `${line}  ${texts.here}` : line;
  });
  const branches = others.map(({ number, last }) => {
    const where =
      last === undefined ? "" : `  ${tell(last.at)}  ${texts.where({ ...last, text: shortenWords(last.text) })}`;
    return `  /worldline ${number}  ${nameBranch(number)}${where}`;
  });
  return [
    ...(others.length > 0
      ? [`${texts.title(nameBranch(view.current))}${points.length === 0 ? `  ${texts.here}` : ""}`]
      : []),
    ...(points.length === 0 ? [texts.noPoints] : []),
    ...(first > 0 ? [`  ${texts.earlier(first - 1)}`] : []),
    ...listed,
    ...(others.length > 0 ? [texts.othersHeading, ...branches] : []),
    ...(points.length > 0 ? [texts.usage] : []),
  ].join("\n");
}

/** Reports a move to another branch, and the questions that ended with it. */
export function describeMove({ last, number }: Branch, codes: readonly string[], language: Language): string {
  const texts = worldlineWords[language];
  const where = last === undefined ? "" : texts.where({ ...last, text: shortenWords(last.text) });
  return joinSentences([texts.moved({ name: nameBranch(number), where }), describeEnded(codes, language)], language);
}

export function describeEnded(codes: readonly string[], language: Language): string {
  return codes.length === 0 ? "" : wordsFor(language).decision.cancelledByStop(codes);
}

/** The time of day; with the date when it is another day. */
function createTimeWords(zone: string, now: number): (at: number) => string {
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
  const time = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, timeStyle: "short" });
  return (at) => {
    const date = day.format(at);
    return date === day.format(now) ? time.format(at) : `${date.slice(5)} ${time.format(at)}`;
  };
}

const letters = Array.from("αβγδεζηθικλμνξοπρστυφχψω");
const spelled =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega".split(
    " ",
  );

/** Branches have letters, so that they are not mistaken for points: 1 is α, 2 is β, 25 is α2. */
export function nameBranch(number: number): string {
  const round = Math.floor((number - 1) / letters.length);
  return `${letters[(number - 1) % letters.length]}${round === 0 ? "" : round + 1}`;
}

/** Reads the number of a branch: `β`, `beta` and `2` name the same one. undefined = the text names none. */
export function readBranch(text: string): number | undefined {
  const name = text.normalize("NFKC").trim().toLowerCase();
  if (/^[1-9]\d{0,5}$/.test(name)) return Number(name);
  const match = /^([α-ω]|[a-z]+)([1-9]\d{0,3})?$/.exec(name);
  const letter = match?.[1] ?? "";
  const index = Math.max(letters.indexOf(letter), spelled.indexOf(letter));
  if (index < 0) return undefined;
  return (Number(match?.[2] ?? 1) - 1) * letters.length + index + 1;
}
