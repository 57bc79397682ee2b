import type { Words } from "../dictionary.ts";

export const sources: Words["sources"] = {
  messageOf: ({ name }) => `what ${name} wrote`,
  forwarded: "a forwarded message",
  quoted: "a quoted message",
  skill: ({ name }) => `the skill "${name}"`,
  earlier: "the conversation before",
};
