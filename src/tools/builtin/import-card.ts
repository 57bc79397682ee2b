import { createHash } from "node:crypto";
import { z } from "zod";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { findBookFault, installCard, type CardImport } from "../../core/persona/cards/install-card.ts";
import { planImport } from "../../core/persona/cards/plan-import.ts";
import { readCard } from "../../core/persona/cards/read-card.ts";
import type { PersonaFolders } from "../../core/persona/find-personas.ts";
import { readLorebook } from "../../core/persona/lorebook/read-lorebook.ts";
import { makeVisible, mostAsked, showName } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Workspace } from "../../workspace/types.ts";
import { workspacePath } from "../../workspace/workspace-path.ts";
import { defineTool } from "../define-tool.ts";
import type { Tool } from "../types.ts";

const maxFileBytes = 64 * 1024 * 1024;
/** Of the description, so that the owner sees who it is; all of it is in soul.md. */
const maxShown = 300;

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
 * Makes a persona of a character card in the workspace, after an owner's yes to everything it brings. The card's own
 * instructions are a call of their own: the owner may say yes to the character and no to them.
 */
export function createImportCardTool(parts: {
  readonly workspace: Pick<Workspace, "readBytes">;
  readonly personaFolders: PersonaFolders;
  /** Reads the configuration anew. */
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
      const detail = describe(planned, given, wordsFor(language));
      // The approval covers the text that was read, so nothing of the instructions may be cut.
      return detail.length <= mostAsked.call ? { ok: true, detail } : { ok: false, error: tooLong };
    },
    async run(given, { language, session, shown }) {
      const planned = await plan(given, session);
      if (!planned.ok) return planned;
      if (shown === undefined || shown !== describe(planned, given, wordsFor(language)))
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

const hasInstructions = ({ card }: CardImport["read"]): boolean =>
  `${card.systemPrompt}${card.postHistory}`.trim() !== "";

/** Everything that the approval covers, one thing a line. Only what is in the card and in its id: the question stays true. */
function describe({ plan, digest }: Planned & { ok: true }, { instructions }: ImportCardInput, words: Words): string {
  const texts = words.cards;
  const { id, read, made } = plan;
  const { card, assets, picture } = read;
  const lines = instructions
    ? [
        texts.replaces(id),
        ...[
          ["system_prompt", card.systemPrompt],
          ["post_history_instructions", card.postHistory],
        ].flatMap(([name = "", text = ""]) => (text.trim() === "" ? [] : [`${name}:`, text.trim()])),
      ]
    : [
        texts.becomes({ name: showName(made.name.slice(0, 200)), version: card.version, id }),
        texts.kept([
          texts.description(made.soul.length),
          ...(made.greetings.length > 0 ? [texts.greetings(made.greetings.length)] : []),
          ...listBook(read, texts),
          ...(picture ? [texts.picture] : []),
          ...(assets.size > 0 ? [texts.files(assets.size)] : []),
        ]),
        texts.stored,
        ...(hasInstructions(read) ? [texts.instructionsLeft] : []),
        ...(findBookFault(card) ? [texts.bookLeft(findBookFault(card) ?? "")] : []),
        texts.grantsNothing,
        shorten(made.soul),
      ];
  return makeVisible([...lines, words.extensions.digest(digest)].join("\n"));
}

function listBook({ card }: CardImport["read"], texts: Words["cards"]): readonly string[] {
  const read = card.book && readLorebook(card.book);
  return read?.kind === "lorebook" ? [texts.entries(read.lorebook.entries.length)] : [];
}

function shorten(text: string): string {
  const line = text.slice(0, maxShown * 2).replaceAll(/\s+/g, " ");
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
}
