import { countOf } from "../count-of.ts";
import type { Words } from "../dictionary.ts";
import { kurisuCommand } from "../../kurisu-command.ts";

export const control: Words["control"] = {
  configuration: {
    refused: (files) => `The configuration has a fault, the one before it is in force: ${files.join(", ")}`,
    status: (keys) => `Waits for a restart: ${keys.join(", ")}`,
  },
  pause: {
    done: "Everything is stopped. No work for anybody, no tools, all questions closed, and a restart does not change that. I keep the messages that come. /resume goes on (/resume drop without answering them).",
    already: "Everything is stopped already. /resume goes on.",
    stoppedHere: "An owner pulled the kill switch; what was at work here has stopped. Say it again once we are back.",
    questionClosed: (code) => `An owner pulled the kill switch; ${code} is closed and did not run.`,
    kept: "Everything is paused now (an owner pulled the kill switch). I keep your message and answer when we are back.",
    nothingRuns: "Everything is paused; a confirmation runs nothing now.",
    resumed: (count) =>
      count === 0 ? "Back." : `Back. I answer the ${count === 1 ? "one message" : `${count} messages`} I kept now.`,
    resumedWithout: (count) =>
      count === 0
        ? "Back."
        : `Back. ${count === 1 ? "The one message I kept stays unanswered; its sender has been told." : `The ${count} messages I kept stay unanswered; their senders have been told.`}`,
    dropped: "Back. I have not read what was sent during the pause; say it again if you still need it.",
    notPaused: "Nothing was paused.",
    status: ({ by, time }) => `Kill switch: everything is paused (${by}, ${time}). /resume goes on.`,
  },
  limits: {
    tooFast: (limit) =>
      `Too fast: ${countOf(limit, "message")} a minute at most. I skip from this one on; try again in a minute.`,
    tooBusy: (limit) =>
      `Too many messages now: ${limit} a minute at most. I skip from this one on; try again in a minute.`,
    reached: {
      person: ({ what, percent }) => `Your limit of today is used up: ${what} (${percent}%).`,
      chat: ({ what, percent }) => `This chat's limit of today is used up: ${what} (${percent}%).`,
      all: ({ what, percent }) => `Today's budget is used up: ${what} (${percent}%). I stop here.`,
      model: ({ what, percent, model }) =>
        `Every model I could ask has reached its limit of today; ${model}: ${what} (${percent}%).`,
    },
    anew: (zone) => ` It begins anew at midnight (${zone}).`,
    remedy: (key) => ` If it can't wait, an owner can change ${key} in models.yaml.`,
    ownerRemedy: (key) => ` If it can't wait, change ${key} in models.yaml; it counts once saved.`,
    tokens: (text) => countOf(text, "token"),
    close: ({ scope, percent, what }) =>
      `(Just so you know: ${scope === "chat" ? "this chat has" : "you have"} used ${percent}% of today's limit, ${what}.)`,
    passed: ({ scope, percent, what }) =>
      `With this, ${scope === "chat" ? "this chat's" : "your"} limit of today is used up: ${percent}%, ${what}.`,
  },
};

/** Why no model answered. Only `waits` promises anything; the others say whether to send it once more. */
export const outage = {
  waits: ({ models, term }: { readonly models: number; readonly term: string }) =>
    `${models === 1 ? "The model" : models === 2 ? "Neither of the two models" : `None of the ${models} models`} ${models === 1 ? "cannot" : "can"} be reached. I keep what you said and answer if it is back within ${term}; /stop if you can't wait.`,
  givenUp: (of: { readonly term: string; readonly quotes: readonly string[]; readonly count: number }) => {
    const kept = `I waited ${of.term} and no model came back.`;
    const [only] = of.quotes;
    if (of.count === 1)
      return `${kept} I let this go without an answer${only === undefined ? "" : `: "${only}"`}. Send it again if you still want it.`;
    const left = of.count - of.quotes.length;
    const lines = of.quotes.map((text) => `· ${text}`);
    return [
      `${kept} I let these ${of.count} go without an answer:`,
      ...lines,
      ...(left > 0 ? [`· … and ${left} more`] : []),
      "Send them again if you still want them.",
    ].join("\n");
  },
  statusWaiting: ({ count, time }: { readonly count: number; readonly time: string }) =>
    `Waiting for a model: ${countOf(count, "message")}; none has answered since ${time}.`,
  stopped: "What waited for a model is dropped without an answer.",
  unreachable: `The model cannot be reached, so this got no answer, and it is not kept. Send it again in a few minutes; if it stays like this, an owner should run \`${kurisuCommand} doctor\`.`,
  limited:
    "The model's server says it was asked too often (429); it is not down. This got no answer: send it again in a few minutes.",
  keyRefused: `The key was refused (401). That is no network trouble, and sending it again will not help. Put a valid \`OPENAI_API_KEY\` (or your provider's key) in place and restart; \`${kurisuCommand} doctor\` tells which one.`,
  noCredit: `There is no credit left at the model's provider (402); sending it again will not help. Top it up and call me; \`${kurisuCommand} doctor\` tells which one.`,
  notFound:
    "The server knows no such model (404); sending it again will not help. Correct the name in `KURISU_MODEL` and call me.",
  tooLong:
    "This conversation is longer than the model takes, and I have left out all I could. Send less, or start over with /new.",
  refused:
    "The model's server does not take this request, and sending it again will not help. It is not your doing; the server says why.",
  serverWords: (words: string) => `The server's words: ${words}`,
  forOthers: "I can't answer right now; an owner has to see to it. This is not kept: send it again later.",
  /** To owners in private, when it was another person's message. */
  toOwner: (cause: string) => `Somebody called me and I could not answer. ${cause}`,
  /** To an owner in private, once. */
  offlineModel: `One thing first: no real model is connected, so I only follow rules. Run \`${kurisuCommand} setup\` to connect one, or start Ollama, then we can talk brain science; \`${kurisuCommand} doctor\` tells what is missing.`,
} as const;

/** Answers to /trust and /untrust. */
export const trust = {
  usage:
    "Usage: /trust ID or name, /untrust takes it back. The id is the platform's number; names count only if unique.",
  given: ({ name, id }: { readonly name: string; readonly id: string }) =>
    `Good: ${name} (${id}) is trusted, from their next message on.`,
  taken: ({ name, id }: { readonly name: string; readonly id: string }) =>
    `${name} (${id}) is no longer trusted, only a member. That holds at once.`,
  unknown: (text: string) => `I know nobody called "${text}". Use the id, or let them pair first.`,
  several: (ids: readonly string[]) => `More than one person has that name: ${ids.join(", ")}. Use the id.`,
  isOwner: (name: string) => `${name} is an owner already.`,
  notTrusted: (name: string) => `${name} was not among the trusted.`,
  byConfiguration: (name: string) => `${name} is trusted by the configuration: change trusted in channels.yaml.`,
};
