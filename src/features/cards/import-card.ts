import { cardWords } from "./words.ts";
import type { Language } from "../../core/conversation.ts";
import { createHash } from "node:crypto";
import { z } from "zod";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { listAlwaysOn, listEntries, listInstructions } from "../../core/persona/cards/card-contents.ts";
import { findBookFault, installCard, type CardImport } from "../../core/persona/cards/install-card.ts";
import { readCard } from "../../core/persona/cards/read-card.ts";
import type { PersonaFolders } from "../../core/persona/find-personas.ts";
import { measurePayload, maxAsked } from "../../core/persona/show-payload.ts";
import type { Workspace } from "../../workspace/types.ts";
import { workspacePath } from "../../workspace/workspace-path.ts";
import { planImport } from "./plan-import.ts";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import type { Tool } from "../../kernel/tools/types.ts";

const maxFileBytes = 64 * 1024 * 1024;
/** The beginning of the description, so that the owner sees who it is; all of it is in soul.md. */
const maxShown = 300;
/** Characters of each entry of its lorebook that is always on, and of all of them. */
const maxShownAlways = 400;
const maxShownAlwaysInAll = 4_000;

const input = z.strictObject({
  path: workspacePath.describe("The card in the workspace: PNG, JSON or CHARX."),
  instructions: z
    .boolean()
    .default(false)
    .describe("Take the card's own system_prompt and post_history_instructions, too."),
});

type ImportCardInput = z.infer<typeof input>;

type Planned =
  | { readonly ok: true; readonly plan: CardImport; readonly digest: string }
  | { readonly ok: false; readonly error: string };

/**
 * Makes a persona of a character card in the workspace, after an owner's approval of everything it brings. The card's own
 * instructions are a call of their own: the owner may approve the character and refuse them.
 */
export function createImportCardTool(parts: {
  readonly workspace: Pick<Workspace, "readBytes">;
  readonly personaFolders: PersonaFolders;
  /** Reads the configuration again. */
  readonly reload: () => void;
}): Tool<ImportCardInput> {
  async function plan({ path, instructions }: ImportCardInput, session: string): Promise<Planned> {
    const found = await parts.workspace.readBytes(session, path, maxFileBytes);
    if (!found.ok) return found;
    const read = await readCard(found.bytes);
    if (read.kind === "refused") return { ok: false, error: `The card "${path}" ${read.problem}.` };
    if (instructions && !hasInstructions(read)) return { ok: false, error: `The card "${path}" has no instructions.` };
    const planned = planImport(parts.personaFolders, read, instructions);
    switch (planned.kind) {
      case "there":
        return { ok: false, error: `The card "${path}" is the persona ${planned.id} already; /persona chooses it.` };
      case "refused":
        return { ok: false, error: `The card "${path}" is refused: ${planned.problem}.` };
      case "planned":
        return { ok: true, plan: planned.plan, digest: createHash("sha256").update(found.bytes).digest("hex") };
    }
  }

  return defineTool({
    name: "import_card",
    description: {
      zh: "请主人同意把工作区里的一张角色卡做成人格。问题里会写明留下什么、不留什么；之后主人用 /persona 选它。",
      en: "Ask the owner to make a persona of a character card in the workspace. The question shows what is kept and what is not; the owner chooses it with /persona afterwards.",
    },
    input,
    level: "confirm",
    ownerOnly: true,
    alwaysAsks: true,
    readOnly: false,
    idempotent: false,
    place: "gateway",
    summarize: ({ path }) => path,
    async inspect(given, { language, session }) {
      const planned = await plan(given, session);
      if (!planned.ok) return planned;
      const always = shortenAlwaysOn(planned.plan.read).reduce((sum, { length }) => sum + length, 0);
      if (always > maxShownAlwaysInAll) return { ok: false, error: tooManyAlwaysOn };
      const detail = describe(planned, given, language);
      // The approval covers the text that was read, so nothing of the instructions may be cut.
      return measurePayload(detail) <= maxAsked.call ? { ok: true, detail } : { ok: false, error: tooLong };
    },
    async run(given, { language, session, shown }) {
      const planned = await plan(given, session);
      if (!planned.ok) return planned;
      if (shown === undefined || shown !== describe(planned, given, language))
        return {
          ok: false,
          error: `"${given.path}" is not the card that the owner was shown any more; ask once more.`,
        };
      const { id } = planned.plan;
      const faults = installCard(parts.personaFolders, planned.plan);
      if (faults !== "") return { ok: false, error: `The card "${given.path}" gives no sound persona: ${faults}.` };
      parts.reload();
      return { ok: true, output: { persona: id, choose: `/persona ${id}` }, message: id };
    },
  });
}

const tooLong = `The card's own instructions are too long to be shown whole in a question; the owner can take them at the terminal: ${kurisuCommand} persona import FILE --system-prompt.`;

const tooManyAlwaysOn = `The entries of the card's lorebook that are always on are too long to be shown in a question; the owner can import it at the terminal: ${kurisuCommand} persona import FILE.`;

const hasInstructions = ({ card }: CardImport["read"]): boolean => listInstructions(card).length > 0;

/**
 * Everything that the approval covers, one item per line. Only what is in the card and in its id: the question stays
 * true.
 */
function describe(
  { plan, digest }: Planned & { ok: true },
  { instructions }: ImportCardInput,
  language: Language,
): string {
  const texts = cardWords[language];
  const { id, read, made } = plan;
  const { card, assets, picture } = read;
  const fault = findBookFault(card);
  const entries = listEntries(card);
  const always = shortenAlwaysOn(read);
  return [
    cardWords[language].digest(digest),
    texts.becomes({ name: made.name, version: card.version, id }),
    texts.kept([
      texts.description(made.soul.length),
      ...(made.greetings.length > 0 ? [texts.greetings(made.greetings.length)] : []),
      ...(entries.length > 0 ? [texts.entries(entries.length)] : []),
      ...(picture ? [texts.picture] : []),
      ...(assets.size > 0 ? [texts.files(assets.size)] : []),
    ]),
    texts.stored,
    ...(hasInstructions(read) && !instructions ? [texts.instructionsLeft] : []),
    ...(fault ? [texts.bookLeft(fault)] : []),
    texts.grantsNothing,
    quote(shorten(made.soul, maxShown)),
    ...(always.length > 0 ? [texts.alwaysOn(always.length), ...always.map(quote)] : []),
    ...(instructions
      ? [texts.replaces(id), ...listInstructions(card).flatMap(({ name, text }) => [`${name}:`, quote(text)])]
      : []),
  ].join("\n");
}

/** The owner sees each of the entries that are always on. */
const shortenAlwaysOn = ({ card }: CardImport["read"]): readonly string[] =>
  listAlwaysOn(card).map(({ content }) => shorten(content, maxShownAlways));

/** Each line of the card's own text is behind a mark, so that none of them looks like one of ours. */
const quote = (text: string): string => text.replaceAll(/^/gm, "> ");

function shorten(text: string, max: number): string {
  const line = text
    .slice(0, max * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > max ? `${line.slice(0, max)}…` : line;
}
