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
};
