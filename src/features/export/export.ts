import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { pickMenu } from "../../kernel/feature/pick-menu.ts";
import { exportWords } from "./words.ts";
import { erase } from "../erase/erase.ts";
import { createExportConversation } from "./export-conversation.ts";

/**
 * Exports what was said, as a file to the chat.
 *
 *     /export, /export json   the conversation of this chat, its current line
 *     /export me              everything that is kept about the person who asks, as collected by erase
 */
export const exporting = defineFeature({
  name: "export",
  needs: { erase },
  words: exportWords,
  make: (kernel) => createExportConversation(kernel),
  commands: [
    {
      names: ["export"],
      menu: pickMenu(exportWords, "export"),
      who: "members",
      inGroups: true,
      answer: (conversation, call) => conversation.answer(call),
    },
  ],
});
