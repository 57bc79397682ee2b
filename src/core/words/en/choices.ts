import { countOf } from "../count-of.ts";
import type { Words } from "../dictionary.ts";
import { kurisuCommand } from "../../kurisu-command.ts";

/** /persona: the speaking persona. */
const persona: Words["choices"]["persona"] = {
  speaks: ({ id, name }) => `${name} (${id}) speaks here.`,
  chosen: ({ id, name }) => `From the next message on, ${name} (${id}) speaks here. /persona auto goes back.`,
  unknown: "There is no such persona. There are these:",
  hasFaults: "(its files have faults, it cannot be used)",
  faulty: (id) =>
    `The files of the persona ${id} have faults. ${kurisuCommand} persona list on the machine names the line.`,
  usage: "/persona NAME chooses another, /persona auto goes back, /persona why shows what is in effect.",
  becauseUsual: "It is the usual one, set by the operator; nothing else was chosen here.",
  becauseChosen: "It was chosen here with /persona.",
  background: ({ soul, lore, entries }) =>
    `Character: ${countOf(soul, "character")}; past: ${countOf(lore, "character")}; lorebook: ${countOf(entries, "entry", "entries")}.`,
  rules: ({ forbidden, rejected, honorifics }) =>
    `Each sentence is checked before it goes out: ${countOf(forbidden, "forbidden word")}${rejected !== "" ? `; names not answered to: ${rejected}` : ""}${honorifics !== "" ? `; honorifics not used: ${honorifics}` : ""}.`,
  tones: ({ avoided, examples }) => `Tones avoided: ${avoided}; ${countOf(examples, "example")} of its own.`,
  sound: (voice) => `Voice: ${voice}.`,
  memories: "Each persona has memories of its own: another one remembers other things.",
  breaks: {
    "ai-self-disclosure": "calling itself an AI",
    "assistant-ese": "call-centre tone",
    "report-style": "a report in small talk",
    lecture: "preaching",
    confession: "feelings said outright",
    cuteness: "acted cuteness",
    superstition: "taking the occult seriously",
    "unsupported-claim": "claiming what was not done",
    "accepted-nickname": "answering to a rejected name",
    "admitted-label": "admitting a denied label",
    "prompt-leak": "repeating its instructions",
    "reasoning-leak": "showing its reasoning",
    "tool-json": "a tool call written as text",
    empty: "nothing said",
    "forbidden-word": "a forbidden word",
    placeholder: "a blank left open",
    honorific: "an honorific",
    emoji: "emoji",
    "repeated-opening": "the same opening again",
    "wrong-language": "the wrong language",
  },
  mended: {
    none: "Nothing had to be mended here since the start.",
    stripped: ({ ago, model, kinds }) => `Last time (${ago} ago, ${model}): sentences taken out for ${kinds}.`,
    rewritten: ({ ago, model, kinds }) => `Last time (${ago} ago, ${model}): asked to write it again for ${kinds}.`,
    replaced: ({ ago, model, kinds }) =>
      `Last time (${ago} ago, ${model}): replaced by a line of its own for ${kinds}.`,
  },
};

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

/** /busy: the ways of words that come while she is busy. */
export const busy = {
  chosen: {
    queue: "Fine. What you say meanwhile waits until I am done.",
    steer: "Fine. What you say meanwhile I read at my next step.",
    interrupt: "Fine. When you say something, I drop what I am doing and listen. What is done stays done.",
  },
  now: {
    queue: "Now: queue. What you say while I am busy waits until I am done.",
    steer: "Now: steer. What you say while I am busy I read at my next step.",
    interrupt: "Now: interrupt. What you say while I am busy stops what I am doing.",
  },
  usage:
    "Usage: /busy queue, /busy steer, /busy interrupt. In a group only the person who asked can steer or interrupt; an owner can interrupt, too.",
  notHere: "Here each line gets its own answer, so it cannot enter another one. Use /busy queue or /busy interrupt.",
} as const;
