import { countOf } from "../../../core/words/count-of.ts";
import { makeVisible } from "../../../core/persona/show-payload.ts";
import { badPatterns, knownInstallers, prerequisite } from "./bad-patterns.ts";
import { judgeLine, type ReadLine } from "./read-statement.ts";
import { findHiddenOrders } from "./scan-comments.ts";
import { isScript, type SkillFile } from "./skill-files.ts";

/** Something a person should know before they approve. */
export interface Finding {
  readonly path: string;
  /** From 1; 0 = the file as a whole. */
  readonly line: number;
  readonly what: string;
  /** The place, every hidden character written out; at most 160 characters. */
  readonly shown: string;
  readonly blocks: boolean;
}

/** Direction marks, invisible characters, and letters that only carry hidden text. Joints of emoji stay. */
const hidden =
  /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\u180E\u115F\u1160\u3164\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]|(?<!^)\uFEFF|(?<!\p{Extended_Pictographic}\uFE0F?)\u200D|[^\P{Cc}\n\t\r]/u;
const programs: readonly (readonly [string, string])[] = [
  ["7f454c46", "a program for Linux"],
  ["4d5a", "a program for Windows"],
  ["feedface", "a program for macOS"],
  ["feedfacf", "a program for macOS"],
  ["cffaedfe", "a program for macOS"],
  ["cafebabe", "a program for macOS or Java"],
  ["0061736d", "a WebAssembly program"],
];
const maxLineLength = 4000;
const maxFindings = 100;

/** Finds unexpected content in the files, and content that was seen in bad skills. */
export function scanFiles(files: readonly SkillFile[]): readonly Finding[] {
  return files.flatMap(scanFile).slice(0, maxFindings);
}

function scanFile({ path, bytes }: SkillFile): Finding[] {
  const text = readText(bytes);
  if (text === undefined) {
    const start = bytes.subarray(0, 4).toString("hex");
    const program = programs.find(([magic]) => start.startsWith(magic));
    if (program) return [{ path, line: 0, what: program[1], shown: countOf(bytes.length, "byte"), blocks: true }];
    return [...scanUnreadable(path, bytes), ...scanLines(path, readLoosely(bytes))];
  }
  return [...scanHidden(path, text), ...scanComments(path, text), ...scanLines(path, text)];
}

/** Returns undefined if it is no UTF-8 text. */
export function readText(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A shell and a loader read over one wrong byte; so nothing that is text for them may be none for us. */
const textNames = /(?:^|\/)[^./]+$|\.(?:md|mdx|txt|rst|ya?ml|json5?|toml|ini|cfg|conf|xml|html?|css|csv|tsv|sql|env)$/i;

function scanUnreadable(path: string, bytes: Buffer): Finding[] {
  if (!textNames.test(path) && !isScript({ path, bytes })) return [];
  return [{ path, line: 0, what: "is no valid UTF-8 text", shown: countOf(bytes.length, "byte"), blocks: true }];
}

/** Without zeros UTF-16 is nearly plain text, too. */
function readLoosely(bytes: Buffer): string {
  return new TextDecoder().decode(bytes).replaceAll("\0", "");
}

/** A character that stands alone in quotes, or that keeps a fence from ending the block around it, hides nothing. */
function scanHidden(path: string, text: string): Finding[] {
  return text.split("\n").flatMap((raw, index) => {
    const line = index === 0 ? raw.replace(/^\uFEFF/, "") : raw.replace(/\r$/, "");
    const found = hidden.exec(line);
    if (found === null) return [];
    const around = line.slice(Math.max(0, found.index - 60), found.index + 60);
    const rest = line.slice(found.index + found[0].length);
    const isNamed =
      (/["'`]$/.test(line.slice(0, found.index)) && /^["'`]/.test(rest)) ||
      (/[\u200B\u200E\u2060]/.test(found[0]) && (rest.startsWith("```") || line.slice(0, found.index).endsWith("```")));
    const blocks = !isNamed || countHidden(line) > maxNamed;
    return [{ path, line: index + 1, what: "hidden characters", shown: show(around), blocks }];
  });
}

/** More hidden characters on one line are treated as a text. */
const maxNamed = 4;

function countHidden(line: string): number {
  return Array.from(line).filter((character) => hidden.test(`x${character}`)).length;
}

function scanComments(path: string, text: string): Finding[] {
  return findHiddenOrders(text).map(({ line, text: comment }) => {
    return { path, line, what: "a comment that gives the model an order", shown: show(comment), blocks: true };
  });
}

function scanLines(path: string, text: string): Finding[] {
  const lines = readLines(path, text);
  return lines.flatMap((one, index) => {
    const { line, read } = one;
    const findings = badPatterns.flatMap((bad): Finding[] => {
      const verdict = judgeLine(one, bad, path);
      if (verdict === "nothing") return [];
      const blocks = verdict === "blocks" && !isKnownInstaller(read, bad.id);
      return [{ path, line, what: bad.id, shown: show(read), blocks }];
    });
    const found = findings.find(({ blocks }) => blocks) ?? findings[0];
    if (found) return [found];
    if (!prerequisite.announces.test(read)) return [];
    const near = lines
      .slice(index, index + prerequisite.reach)
      .find((other) => prerequisite.downloads.test(other.read) && !knownInstallers.test(other.read));
    return near ? [{ path, line: near.line, what: prerequisite.id, shown: show(near.read), blocks: true }] : [];
  });
}

/** The line has one download, and it is a well-known installer. */
function isKnownInstaller(read: string, id: string): boolean {
  return (
    id === "download piped into an interpreter" &&
    knownInstallers.test(read) &&
    (read.match(/https?:\/\/|\b(?:curl|wget)\b/g) ?? []).length <= 2
  );
}

/** Adds to each line the words above it that say how it is meant. */
function readLines(path: string, text: string): readonly ReadLine[] {
  const isMarkdown = /\.(?:md|mdx|txt|rst)$/i.test(path);
  let [heading, lead, before, inCode] = ["", "", "", false];
  return joinContinued(text).map(({ line, read }): ReadLine => {
    const plain = read.trim();
    const isFence = isMarkdown && /^(?:```|~~~)/.test(plain);
    if (isFence) inCode = !inCode;
    const isProse = isMarkdown && !inCode && !isFence;
    const isOwnStart = plain === "" || /^(?:[-*+>|#]|\d+[.)])/.test(plain);
    if (isProse && plain.startsWith("#")) [heading, lead] = [plain.slice(0, maxLead), ""];
    const isItem = /^(?:[-*+>] |\||\d+[.)] )/.test(plain);
    const one = { line, read, before: isOwnStart ? "" : before, under: `${heading} ${lead}`, isItem, isProse };
    if (/[:：({[][*_"\s]*$/.test(plain.slice(-8))) lead = plain.slice(-maxLead);
    else if (isProse && !isOwnStart && before === "") lead = "";
    before = isProse && !plain.startsWith("#") ? read.slice(-maxLead) : "";
    return one;
  });
}

/** Characters of a line above that are remembered. */
const maxLead = 200;

/** As the patterns read them: one spelling, nothing hidden, continued lines in one, long ones in overlapping pieces. */
function joinContinued(text: string): { readonly line: number; readonly read: string }[] {
  const joined: { line: number; read: string }[] = [];
  let open: { line: number; read: string } | undefined;
  for (const [index, raw] of text.split("\n").entries()) {
    const line = open ?? { line: index + 1, read: "" };
    const continued = /\\\r?$/.test(raw) && line.read.length < maxLineLength;
    line.read += raw.replace(/\\?\r?$/, continued ? " " : "");
    open = continued ? line : undefined;
    if (!continued) joined.push(line);
  }
  if (open) joined.push(open);
  return joined.flatMap(({ line, read }) => {
    const plain = read
      .normalize("NFKC")
      .replaceAll(/[\p{Cf}\p{Variation_Selector}]/gu, "")
      .replaceAll(/[\t\p{Zs}]+/gu, " ")
      .toLowerCase();
    if (plain.length <= maxLineLength) return [{ line, read: plain }];
    const pieces = Math.ceil(plain.length / (maxLineLength - 500));
    return Array.from({ length: pieces }, (_, at) => {
      const from = at * (maxLineLength - 500);
      return { line, read: plain.slice(from, from + maxLineLength) };
    });
  });
}

function show(text: string): string {
  const visible = makeVisible(text.trim());
  return visible.length <= 160 ? visible : `${visible.slice(0, 159)}…`;
}
