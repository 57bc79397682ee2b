import type { Words } from "../dictionary.ts";
import { erasure } from "./erasure.ts";

export const memory: Words["memory"] = {
  erasure,
  forgetAll:
    "Forget everything about you: what was remembered, your words in the chat log, and their index. It cannot be brought back.",
  messagesLeftOut: (count) => `(${count} more left out)`,
  none: "I remember nothing of you yet. Say “remember that I like cats”, or /remember I like cats.",
  heading: (count) => `What I remember (${count}):`,
  item: ({ day, foreign, id, pinned, text }) =>
    `#${id} ${text} (${day}${pinned ? ", pinned" : ""}${foreign ? ", not only your own words" : ""})`,
  kept: ({ id, text }) => `I will remember: ${text} (#${id})`,
  changed: ({ id, text }) => `Changed to: ${text} (#${id}). What it was before: /memory history ${id}`,
  known: ({ id, text }) => `I knew that: ${text} (#${id})`,
  refused: {
    empty: "Remember what? /remember I like cats",
    "too-long": "That is too long; one sentence, please: /remember I like cats",
    "too-many": "I remember too much of you; let me forget some first: /forget NUMBER",
    secret: "That looks like a password or a key, and I do not keep those. Use a password manager.",
  },
  unknown: (which) => `There is no ${which}; /memory shows the numbers.`,
  nothingLike: (words) => `Nothing about “${words}” was found by words. Try other words, or see /memory.`,
  which: "Which one? /forget with its number:",
  forgotten: (count) => (count > 1 ? `Forgotten, with its older versions: ${count}.` : "Forgotten."),
  stay: "Still remembered, in some of the same words:",
  withOlder: ({ memory, older }) => `${memory} (with its older versions: ${older.join("; ")})`,
  pinned: (text) => `Always in mind: ${text}`,
  unpinned: (text) => `No longer pinned: ${text}`,
  origin: {
    said: "You said it in a talk, and I kept it.",
    tool: "I thought that it mattered when we talked, and kept it.",
    extracted: "I gathered it from your words after a talk.",
    command: "You told me to remember it.",
  },
  quote: ({ text, when }) => `Your words (${when}): “${text}”`,
  before: ({ text, until }) => `Before that: ${text} (until ${until})`,
  events: {
    remembered: "remembered",
    confirmed: "said again",
    superseded: "replaced by a newer one",
    pinned: "pinned",
    unpinned: "unpinned",
    forgotten: "forgotten",
  },
  usage:
    "Use: /memory, /memory why NUMBER, /memory search WORDS, /memory pin NUMBER, /memory unpin NUMBER, /memory history NUMBER.",
  rememberUsage: "Like this: /remember I am allergic to peanuts",
  forgetUsage:
    "Use: /forget NUMBER, /forget some words, /forget all (everything about you). /memory shows the numbers.",
  orderForgetAll: "Forget everything about me",
};
