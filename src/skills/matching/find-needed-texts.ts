/**
 * Texts of which every match of a regular expression holds at least one, so that most patterns need not be tried at all.
 * undefined = nothing is known, and it must always be tried. What is not understood counts as that.
 */
export function findNeededTexts(source: string): ReadonlySet<string> | undefined {
  const reader = { source, at: 0 };
  const needed = readAlternatives(reader);
  return reader.at < source.length ? undefined : needed;
}

type Needed = ReadonlySet<string> | undefined;
interface Reader {
  readonly source: string;
  at: number;
}

/** More than this is no filter any more. */
const mostTexts = 400;
const mostOfClass = 16;

function readAlternatives(reader: Reader): Needed {
  const branches = [readSequence(reader)];
  while (reader.source[reader.at] === "|") {
    reader.at += 1;
    branches.push(readSequence(reader));
  }
  const all = new Set<string>();
  for (const branch of branches) {
    if (branch === undefined) return undefined;
    for (const text of branch) all.add(text);
  }
  return all.size > mostTexts ? undefined : all;
}

function readSequence(reader: Reader): Needed {
  let best: Needed;
  let run = "";
  const offer = (needed: Needed): void => {
    if (needed !== undefined && (best === undefined || weigh(needed) > weigh(best))) best = needed;
  };
  const endRun = (): void => {
    if (run !== "") offer(new Set([run]));
    run = "";
  };
  for (;;) {
    const character = reader.source[reader.at];
    if (character === undefined || character === "|" || character === ")") break;
    const atom = readAtom(reader);
    const least = readQuantifier(reader);
    const one = atom?.size === 1 ? [...atom][0] : undefined;
    if (least === undefined && one !== undefined) run += one;
    else {
      endRun();
      if (least !== 0) offer(atom);
    }
  }
  endRun();
  return best;
}

/** The longer its shortest text, the rarer; then the fewer, the better. */
function weigh(needed: ReadonlySet<string>): number {
  let shortest = Infinity;
  for (const { length } of needed) shortest = Math.min(shortest, length);
  return shortest * 1000 - needed.size;
}

function readAtom(reader: Reader): Needed {
  const { source } = reader;
  const character = String.fromCodePoint(source.codePointAt(reader.at) ?? 0);
  if (character === "(") return readGroup(reader);
  if (character === "[") return readClass(reader);
  if (character === "\\") return readEscape(reader);
  reader.at += character.length;
  return ".^$".includes(character) ? undefined : new Set([character]);
}

function readGroup(reader: Reader): Needed {
  const [opening] = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(reader.source.slice(reader.at)) ?? ["("];
  reader.at += opening.length;
  const needed = readAlternatives(reader);
  reader.at += 1;
  return /[=!]$/.test(opening) ? undefined : needed;
}

function readClass(reader: Reader): Needed {
  const [whole, content = ""] = /^\[((?:[^\]\\]|\\.)*)\]/su.exec(reader.source.slice(reader.at)) ?? ["["];
  reader.at += whole.length;
  const plain = !/^\^|[-\\]/.test(content);
  return plain && content.length <= mostOfClass ? new Set(content) : undefined;
}

function readEscape(reader: Reader): Needed {
  const [whole] = /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|k<\w+>|.)/isu.exec(reader.source.slice(reader.at)) ?? [
    "\\",
  ];
  reader.at += whole.length;
  return /^\\[^\p{L}\p{N}]$/u.test(whole) ? new Set([whole.slice(1)]) : undefined;
}

/** How often at least; undefined = there is no quantifier. */
function readQuantifier(reader: Reader): number | undefined {
  const [whole, count] = /^(?:[?*+]|\{(\d+)(?:,\d*)?\})\??/.exec(reader.source.slice(reader.at)) ?? [""];
  if (whole === "") return undefined;
  reader.at += whole.length;
  if (count !== undefined) return Number(count);
  return whole.startsWith("+") ? 1 : 0;
}
