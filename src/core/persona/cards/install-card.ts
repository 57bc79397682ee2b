import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parse, stringify } from "yaml";
import { formatFault } from "../../yaml-file.ts";
import type { PersonaFolders } from "../find-personas.ts";
import { loadPersona } from "../load-persona.ts";
import { readLorebook } from "../lorebook/read-lorebook.ts";
import type { CharacterCard } from "./character-card.ts";
import type { PersonaOfCard } from "./persona-of-card.ts";
import type { ReadCard } from "./read-card.ts";

/** A card that is about to become the persona of that id. */
export interface CardImport {
  readonly id: string;
  readonly read: Extract<ReadCard, { kind: "card" }>;
  readonly made: PersonaOfCard;
}

/**
 * Makes the persona's folder: persona.yaml, soul.md, card.json with everything the card had, lorebook.json, avatar.png,
 * assets/. The folder is written aside, checked as at a start, and moved into place whole. It replaces an earlier import of that id.
 * Returns the faults, one a line; "" = it is there.
 */
export function installCard(
  { own, shipped }: PersonaFolders,
  { id, read, made }: CardImport,
  rename: typeof renameSync = renameSync,
): string {
  const folder = join(own, id);
  const template = readFileSync(join(shipped, "default", "persona.yaml"), "utf8");
  mkdirSync(own, { recursive: true });
  sweepAside(own);
  const aside = mkdtempSync(join(own, asidePrefix));
  try {
    const inside = join(aside, id);
    mkdirSync(inside);
    writeFileSync(join(inside, "persona.yaml"), describePersona(id, read.card, made, template));
    writeFileSync(join(inside, "soul.md"), `${made.soul}\n`);
    // Compact, because white space could make it larger than a card may be.
    writeFileSync(join(inside, "card.json"), JSON.stringify(read.card.raw));
    if (findBookFault(read.card) === "")
      writeFileSync(join(inside, "lorebook.json"), `${JSON.stringify(read.card.book, null, 2)}\n`);
    if (read.picture) writeFileSync(join(inside, "avatar.png"), read.picture);
    for (const [path, content] of read.assets) {
      mkdirSync(dirname(join(inside, path)), { recursive: true });
      writeFileSync(join(inside, path), content);
    }
    const loaded = loadPersona(inside, {});
    if (loaded.kind === "faulty") return loaded.faults.map(formatFault).join("\n");
    const former = join(aside, formerName);
    if (existsSync(folder)) rename(folder, former);
    try {
      rename(inside, folder);
    } catch (error) {
      if (existsSync(former)) rename(former, folder);
      throw error;
    }
    return "";
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** The names of folders that are being made begin with it. */
export const asidePrefix = ".import-";
/** No id begins with a full stop. */
const formerName = ".former";
const maxAsideMs = 60 * 60 * 1_000;

/** Removes what imports left that were killed. A persona that such an import had moved away comes back. */
function sweepAside(own: string): void {
  for (const entry of readdirSync(own, { withFileTypes: true })) {
    const aside = join(own, entry.name);
    if (!entry.isDirectory() || !entry.name.startsWith(asidePrefix)) continue;
    // Absent when another process has removed it since.
    const { mtimeMs } = statSync(aside, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (Date.now() - mtimeMs < maxAsideMs) continue;
    const id = readdirSync(aside).find((inside) => inside !== formerName);
    const former = join(aside, formerName);
    if (id !== undefined && existsSync(former) && !existsSync(join(own, id))) renameSync(former, join(own, id));
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Why the card's lorebook cannot be used; "" when it can, undefined when the card has none. */
export function findBookFault({ book }: CharacterCard): string | undefined {
  if (book === undefined) return undefined;
  const read = readLorebook(book);
  return read.kind === "refused" ? read.problem : "";
}

/** The phrases of the gateway come from the shipped default persona; they are there to be rewritten. */
function describePersona(id: string, card: CharacterCard, made: PersonaOfCard, template: string): string {
  const base = parse(template) as { readonly phrases: Readonly<Record<string, object>> } & Record<string, unknown>;
  const { language } = made;
  const name = keepDollars(made.name);
  const greeting = made.greetings.map(keepDollars);
  const phrases = {
    ...base.phrases,
    ...(greeting.length > 0 && { [language]: { ...base.phrases[language], greeting } }),
  };
  const persona = {
    ...base,
    id,
    name: { zh: name, en: name, ja: name },
    nicknames: [...new Set([keepDollars(card.name), name])].filter((one) => one.length >= 2),
    languages: [language, ...["zh", "en", "ja"].filter((one) => one !== language)],
    phrases,
  };
  return `# From a character card; card.json has all of it. The phrases are those of the persona "default".\n${stringify(persona)}`;
}

/** Text of others never names a variable of the environment. */
const keepDollars = (text: string): string => text.replaceAll("$", "$$$$");
