import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { cardWords } from "./words.ts";
import { createOrderCard } from "./order-card.ts";

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
