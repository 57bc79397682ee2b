import { defineFeature } from "../../kernel/feature/define-feature.ts";

/**
 * Character cards: an owner sends the file of a card, and the call of `import_card` that it becomes (`order-card.ts`) asks before it makes
 * the card a persona. Cards, lorebooks and their formats are in `core/persona`, since a persona is read from them at every start.
 */
export const cards = defineFeature({
  name: "cards",
  environment: {},
  configure: () => ({}),
  make: ({ personaFolders, reload, workspace }) => ({ personaFolders: personaFolders(), reload, workspace }),
  soleTools: {
    import_card: async (parts) => (await import("./import-card.ts")).createImportCardTool(parts),
  },
});
