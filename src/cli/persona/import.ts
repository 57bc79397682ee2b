import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse, stringify } from "yaml";
import { AppError, describeError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import type { CharacterCard } from "../../core/persona/cards/character-card.ts";
import { personaOfCard, type PersonaOfCard } from "../../core/persona/cards/persona-of-card.ts";
import { readCard, type ReadCard } from "../../core/persona/cards/read-card.ts";
import { readLorebook } from "../../core/persona/lorebook/read-lorebook.ts";
import { loadPersona, longestText } from "../../core/persona/load-persona.ts";
import { toTerminalLine } from "../terminal/terminal-text.ts";
import type { CommandContext } from "../types.ts";
import { listFaults } from "./find-persona.ts";

/** Of a file; beyond it nobody has to look inside. */
const mostFileBytes = 64 * 1024 * 1024;

/** Makes config/personas/ID of a card: persona.yaml, soul.md, card.json with everything the card had, avatar.png, assets/. */
export async function importCard(
  context: Pick<CommandContext, "configuration" | "environment">,
  given: {
    readonly file: string;
    readonly id: string | undefined;
    readonly replace: boolean;
    /** The owner's yes to the card's own instructions. */
    readonly prompts: boolean;
    readonly json: boolean;
  },
): Promise<number> {
  const { own, shipped } = context.configuration().personaFolders;
  const read = await readCard(readBytes(given.file));
  if (read.kind === "refused") throw refuse(`${given.file} ${read.problem}`);
  const { card } = read;
  const id = given.id ?? nameFolder(card.name);
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(id))
    throw refuse(
      `${JSON.stringify(card.name)} gives no folder name; choose one with --as ID (small letters, digits, hyphens)`,
    );
  const folder = join(own, id);
  const isImported = existsSync(join(folder, "card.json"));
  if (existsSync(folder) && !(given.replace && isImported))
    throw refuse(
      isImported
        ? `${id} is there already; --replace puts the card in its place, --as ID gives it another name`
        : `${id} is there and came from no card; give the card another name with --as ID`,
    );
  const made = personaOfCard(card, { prompts: given.prompts, random: createStableRandom(card) });
  if (made.soul.length > longestText)
    throw refuse(
      `its description has ${made.soul.length} characters; ${longestText} is the most. Shorten the card first`,
    );
  install({ folder, id, read, made, template: readFileSync(join(shipped, "default", "persona.yaml"), "utf8") });
  const left = listLeftOut(card, given.prompts);
  if (given.json)
    process.stdout.write(`${JSON.stringify({ id, name: made.name, version: card.version, folder, leftOut: left })}\n`);
  else
    process.stdout.write(
      [
        `${toTerminalLine(made.name)} (V${card.version} card) is now the persona ${id}, in ${folder}`,
        ...left.map((line) => `  ${line}`),
        `Choose it with: ${kurisuCommand} persona use ${id}`,
        "",
      ].join("\n"),
    );
  return 0;
}

const refuse = (problem: string): AppError => new AppError("PERSONA_REFUSED", toTerminalLine(problem));

function readBytes(file: string): Buffer {
  try {
    if (statSync(file).size > mostFileBytes) throw refuse(`${file} has more than ${mostFileBytes / 1024 / 1024} MB`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refuse(`${file} cannot be read: ${describeError(error)}`);
  }
}

/** "Seraphina the Kind" -> seraphina-the-kind; "" for a name without Latin letters. */
function nameFolder(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 64);
}

/** The same card gives the same choices, so that an import can be repeated. */
function createStableRandom({ raw }: CharacterCard): () => number {
  const seed = createHash("sha256").update(JSON.stringify(raw)).digest();
  let at = 0;
  return () => {
    at += 1;
    return createHash("sha256").update(seed).update(String(at)).digest().readUInt32BE(0) / 2 ** 32;
  };
}

/** Written aside and checked as a start would; nobody sees half a persona. */
function install({
  folder,
  id,
  read,
  made,
  template,
}: {
  readonly folder: string;
  readonly id: string;
  readonly read: Extract<ReadCard, { kind: "card" }>;
  readonly made: PersonaOfCard;
  readonly template: string;
}): void {
  const parent = dirname(folder);
  mkdirSync(parent, { recursive: true });
  const aside = mkdtempSync(join(parent, ".import-"));
  try {
    const inside = join(aside, id);
    mkdirSync(inside);
    writeFileSync(join(inside, "persona.yaml"), describePersona(id, read.card, made, template));
    writeFileSync(join(inside, "soul.md"), `${made.soul}\n`);
    writeFileSync(join(inside, "card.json"), `${JSON.stringify(read.card.raw, null, 2)}\n`);
    if (hasBook(read.card))
      writeFileSync(join(inside, "lorebook.json"), `${JSON.stringify(read.card.book, null, 2)}\n`);
    if (read.picture) writeFileSync(join(inside, "avatar.png"), read.picture);
    for (const [path, content] of read.assets) {
      mkdirSync(dirname(join(inside, path)), { recursive: true });
      writeFileSync(join(inside, path), content);
    }
    const loaded = loadPersona(inside, {});
    if (loaded.kind === "faulty") throw refuse(listFaults(loaded));
    const former = join(aside, "former");
    if (existsSync(folder)) renameSync(folder, former);
    renameSync(inside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
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

/** What the card has and the persona does not. */
function listLeftOut(card: CharacterCard, prompts: boolean): readonly string[] {
  const hasPrompts = `${card.systemPrompt}${card.postHistory}`.trim() !== "";
  return [
    ...(hasPrompts && !prompts
      ? ["left out: its own system prompt; read it in card.json, --system-prompt says yes"]
      : []),
    ...(card.book && !hasBook(card)
      ? [`left out: its lorebook, which ${describeBookFault(card)}; it comes out again with an export`]
      : []),
  ];
}

const hasBook = ({ book }: CharacterCard): boolean => book !== undefined && readLorebook(book).kind === "lorebook";

function describeBookFault({ book }: CharacterCard): string {
  const read = readLorebook(book);
  return read.kind === "refused" ? read.problem : "";
}
