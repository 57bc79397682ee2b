import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { cardWords } from "./words.ts";
import type { OrderedCall, SentFile } from "../../kernel/feature/hook-arguments.ts";
import { looksLikeCard } from "../../core/persona/cards/looks-like-card.ts";
import { readCard } from "../../core/persona/cards/read-card.ts";
import type { Workspace } from "../../workspace/types.ts";

/**
 * Character cards.
 *
 *     orderedCalls   an owner sends the file of a card in private: it becomes a call of `import_card`, which needs approval like any other
 *     `import_card`  makes the card a persona
 *
 * Cards, lorebooks and their formats are in `core/persona`, since a persona is read from them at every start.
 */
export const cards = defineFeature({
  name: "cards",
  words: cardWords,
  make: ({ personaFolders, reload, workspace }) => ({
    orderedCalls: createOrderCard(workspace),
    importParts: { personaFolders: personaFolders(), reload, workspace },
  }),
  soleTools: {
    import_card: async ({ importParts }) => (await import("./import-card.ts")).createImportCardTool(importParts),
  },
});

/** Larger files are never a card. */
const maxBytes = 64 * 1024 * 1024;

/**
 * A character card that an owner sends in private is to become a persona: `import_card` is called with it, and asks as
 * any call of that tool does. Instructions in the card are a second call, which may be refused separately.
 */
function createOrderCard({
  readBytes,
}: Pick<Workspace, "readBytes">): (sent: SentFile) => Promise<readonly OrderedCall[] | undefined> {
  return async ({ message, person, received, session }) => {
    const [file] = received;
    const isSent = message.attachments.length === 1 && file?.kind === "saved" && file.bytes <= maxBytes;
    if (!isSent || person.role !== "owner" || message.chatKind !== "private") return undefined;
    const { path } = file;
    const found = await readBytes(session, path, maxBytes);
    if (!found.ok || !looksLikeCard(found.bytes)) return undefined;
    const read = await readCard(found.bytes);
    const hasInstructions = read.kind === "card" && `${read.card.systemPrompt}${read.card.postHistory}`.trim() !== "";
    const call = { name: "import_card", arguments: { path } };
    return hasInstructions ? [call, { ...call, arguments: { path, instructions: true } }] : [call];
  };
}
