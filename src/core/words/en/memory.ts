import type { Words } from "../dictionary.ts";

export const memory: Words["memory"] = {
  forgetAll:
    "Forget everything about you: what was remembered, your words in the chat log, and their index. It cannot be brought back.",
  messagesLeftOut: (count) => `(${count} more left out)`,
};
