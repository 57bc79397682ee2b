import { countOf } from "../count-of.ts";
import { kurisuCommand } from "../../kurisu-command.ts";

import type { Words } from "../dictionary.ts";
import { persona } from "./persona.ts";

export const choices: Words["choices"] = {
  persona,
  languageChosen: "All right, English here from now on. /lang auto: I answer in whatever you write.",
  languageIs:
    "This chat is set to English. /lang zh for Chinese, /lang ja for Japanese, /lang auto: I answer in whatever you write.",
  languageFollows: "I answer in whatever language you write. To settle it: /lang zh, /lang en, /lang ja.",
  languageUsage: "Usage: /lang zh, /lang en, /lang ja, /lang auto.",
  modelUsual: (model) => `The usual order here; ${model} is asked first.`,
  modelChosen: (model) => `${model} is asked first here; if it does not answer, the others follow in the usual order.`,
  modelUnknown: "No such model is configured. There are these:",
  modelFailing: " (does not answer now)",
  modelUsage: "/model NAME chooses another, /model auto goes back to the usual order.",
  exportUsage: "Usage: /export, /export json (this conversation) or /export me (everything kept of you).",
  exportMeInPrivate: "Everything about you is given in private only.",
  exportMeTooLarge: `There is too much for one file. Ask an owner to run ${kurisuCommand} memory export on the machine.`,
  exportedMe: "This file holds everything I keep of you. What others said is not in it.",
  exportNotYours: "A group's conversation is everybody's; only an owner or a group administrator may export it.",
  exportNotHere: "I cannot send files here. Use a chat that takes them, or a terminal.",
  exportEmpty: "Nothing was said here yet, so there is nothing to export.",
  exported: ({ count, isCut }) =>
    `Exported ${countOf(count, "message")}${isCut ? "; older ones had no room and are left out" : ""}.`,
};

/** /missed: what was said in the group. */
export const missed: Words["missed"] = {
  groupsOnly: "It's just you and me here, so you missed nothing. Use /missed in a group.",
  usage: "Usage: /missed (since you last spoke), or /missed 3 (the last 3 hours, 6 at most).",
  notHeard:
    'In this group I hear only what is said to me (observe is off), so I do not know what people said to each other. To have me hear all of it, an owner writes observe: true under this channel in channels.yaml. For what was said to me, just ask "what did I miss".',
  order: "What did I miss?",
  orderHours: (hours) => `What was said in the group in the last ${countOf(hours, "hour")}?`,
};
