import { editor } from "../editor/en.ts";
import type { PersonaWords } from "./zh.ts";

export const persona: PersonaWords = {
  list: "Personas",
  usual: "default",
  broken: "has faults",
  unsaved: "not saved",
  shipped: "shipped",
  shippedHow:
    "This one came with Kurisu. The first save copies it into your config/personas; from then on your copy is the one that changes.",
  copied: "Copied into config/personas. From now on your copy is the one that changes.",
  readOnly:
    "Kurisu cannot write to this folder, so you can only read. Let its user write to config/personas, then open this again.",
  gone: "There is no such persona",
  goneHow: "It may have just been removed or renamed. See which there are",
  count: (count) => (count === 1 ? "1 chat chose it" : `${count} chats chose it`),
  files: "Files of the persona",
  languages: { zh: "Chinese", en: "English", ja: "Japanese" },
  tokens: "In every turn",
  draftTokens: "Once saved",
  use: "Use everywhere",
  used: "From the next message on, every chat without a choice of its own uses this one.",
  refused: (reason) => `Not changed: ${reason}`,
  failed: "That did not work. Try again.",
  export: "Export as a card",
  usualHow: "Every chat without a choice of its own uses this one.",
  nobody: "No chat chose this one.",
  chats: "Chats that chose this one:",
  more: (count) => `and ${count} more`,
  editor: {
    ...editor,
    masked:
      "The file holds a secret, which is hidden here, or it is a link or no text, so it cannot be changed here. Change it on the machine.",
    states: {
      ...editor.states,
      "in-force": "In force from the next message on",
      "saved-refused": "Saved, but there are faults elsewhere: the earlier version stays in force",
      secret: "The text holds a secret; not saved. Take it out",
    },
  },
};
