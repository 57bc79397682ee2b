import type { Words } from "../dictionary.ts";

export const oversight: Words["oversight"] = {
  proof: {
    noAnswer: "There is no answer here yet, so nothing to prove.",
    nothing: "No tool result stands behind the last answer: I said it by myself, nothing was checked.",
    heading: ({ count, time, turn }) => `Behind the last answer (${time}, ${turn}) stand ${count} tool calls:`,
    done: "done",
    failed: "failed",
    denied: "did not run",
    unknown: "not known whether it ran",
    took: (seconds) => `${seconds} s`,
    byAgent: (agent) => `(by ${agent})`,
    left: "(taken back by a D-Mail; the answer did not use it)",
    sources: (sources) => `Sources: ${sources.join(", ")}`,
    approved: ({ code, name, time }) => `Asked: ${code}, ${name} said yes at ${time}`,
    rejected: ({ code, name, time }) => `Asked: ${code}, ${name} said no at ${time}`,
    audit: ({ seq, hash }) => `Audit row ${seq}, ${hash}`,
  },
  configuration: {
    faulty: ({ lines, left }) =>
      `The configuration was changed, but something in it is wrong. I did not take it and go on with the last good one:\n${lines}${left > 0 ? `\n… and ${left} more.` : ""}\nMend the file and save it; no restart is needed.`,
    good: "The configuration is fine again, and in force.",
  },
  pause: {
    done: "Everything is stopped. No work for anybody, no tools, all questions closed, and a restart does not change that. I keep the messages that come. /resume goes on (/resume drop without answering them).",
    already: "Everything is stopped already. /resume goes on.",
    stoppedHere: "An owner pulled the kill switch; what was at work here has stopped. Say it again once we are back.",
    questionClosed: (code) => `An owner pulled the kill switch; ${code} is closed and did not run.`,
    kept: "Everything is paused now (an owner pulled the kill switch). I keep your message and answer when we are back.",
    nothingRuns: "Everything is paused; a confirmation runs nothing now.",
    resumed: (count) => (count === 0 ? "Back." : `Back. I answer the ${count} messages I kept now.`),
    resumedWithout: (count) =>
      count === 0 ? "Back." : `Back. The ${count} messages I kept stay unanswered; their senders have been told.`,
    dropped: "Back. I have not read what was sent during the pause; say it again if you still need it.",
    notPaused: "Nothing was paused.",
    status: ({ by, time }) => `Kill switch: everything is paused (${by}, ${time}). /resume goes on.`,
  },
  limits: {
    tooFast: (limit) => `Too fast: ${limit} messages a minute at most. I skip from this one on; try again in a minute.`,
    tooBusy: (limit) =>
      `Too many messages now: ${limit} a minute at most. I skip from this one on; try again in a minute.`,
    personSpent: "Your tokens of today are used up. Come back tomorrow.",
    allSpent: "Today's budget is used up. I stop here until tomorrow.",
    warning: ({ percent, what }) =>
      `${percent}% of today's budget is used (${what}). A cheaper model comes first, then I stop. /usage has the details.`,
    mine: ({ tokens, calls, limit }) => `You today: ${tokens} tokens in ${calls} requests, limit ${limit}`,
    all: ({ tokens, calls, limit }) => `Everybody today: ${tokens} tokens in ${calls} requests, limit ${limit}`,
    cost: ({ cost, limit }) => `Cost: ${cost}, limit ${limit}`,
    ofModel: ({ model, tokens }) => `  ${model}: ${tokens}`,
    ofPerson: ({ person, tokens }) => `  ${person}: ${tokens}`,
    estimated: (count) => `For ${count} of them the server gave no usage; they are estimated.`,
    cheaper: "Close to the limit: the cheaper model answers now.",
    none: "none",
  },
};
