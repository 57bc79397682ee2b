import { editor } from "../editor/en.ts";
import { people } from "../people/en.ts";
import type { SystemWords } from "./zh.ts";

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const words: SystemWords = {
  title: "How she runs",
  tabs: { parts: "State", log: "Log", cost: "Cost", audit: "Audit", people: "People", config: "Configuration" },
  people,
  parts: {
    title: "Parts",
    todo: "Run ./kurisu doctor on her machine: it says what is missing and how to fix it.",
  },
  queues: {
    title: "Queues",
    running: "Running",
    waiting: "Waiting to begin",
    kept: "Kept by the pause",
    unsent: "Not sent yet",
    oldest: (at) => `oldest from ${at}`,
    putAside: "Put aside after repeated faults",
    putAsideHow: "She failed on these messages every time, so she no longer tries. The log has the reason.",
  },
  letters: {
    title: "Messages that were not sent",
    none: "Everything was sent.",
    retry: "Send again",
    drop: "Discard",
    queued: "Queued; it is sent when its turn comes.",
    dropped: "Discarded.",
    gone: "It is no longer here; it may just have been sent.",
    cannot: "This one cannot be sent again: its question has ended, or its file was not kept.",
    failed: "That did not work. Try again.",
    partly: "The first part was sent; only the rest is missing.",
    more: (count) => `Only the newest ${count} are listed. Older ones appear once some of these are dealt with.`,
  },
  stop: {
    title: "Kill switch",
    what: "Stops everything in every chat at once, whoever asked for it. What people write afterwards is kept until you resume.",
    begin: "Stop everything…",
    sure: (running, waiting) =>
      `This interrupts ${plural(running, "running job", "running jobs")}, keeps ${plural(waiting, "waiting one", "waiting ones")}, and cancels every open approval.`,
    yes: "Yes, stop everything",
    no: "Not now",
    stopped: "Everything is stopped.",
    isOn: (name, at) =>
      name === "" ? `Everything has been stopped since ${at}.` : `${name} stopped everything at ${at}.`,
    resume: (kept) => (kept === 0 ? "Resume" : `Resume and do the ${kept} kept`),
    sureWithout: (kept) =>
      `The ${plural(kept, "kept message gets", "kept messages get")} no answer, and those chats are told.`,
    resumeWithout: "Resume without the kept ones",
    goesOn: (kept) => (kept === 0 ? "Resumed." : `Resumed; ${kept} had been kept.`),
    failed: "That did not work. Try again.",
  },
  log: {
    title: "Log",
    level: "Level",
    levels: { debug: "All", info: "Info", warn: "Warnings", error: "Errors" },
    part: "Part",
    allParts: "All parts",
    find: "Find in the log",
    fresh: (count) => plural(count, "new line", "new lines"),
    show: "Details",
    none: "Nothing was logged since the start.",
    nothing: "No line matches. Try another word or a lower level.",
  },
  cost: {
    title: "Cost",
    span: "Period",
    days: (count) => `${count} days`,
    by: "Split by",
    keys: { model: "Model", person: "Person", session: "Chat", tool: "Tool" },
    ofTools:
      "What the whole turns cost in which the tool was used; a turn with several tools counts at each. Of the last 14 days only.",
    spent: "Spent",
    cached: "Cached",
    calls: "Requests",
    summary: (sum, most) => `${sum} in all, ${most} on the most expensive day`,
    estimated: (count) => `${plural(count, "request is", "requests are")} estimated: the server did not report tokens`,
    none: "No model was used on these days.",
  },
  audit: {
    title: "Audit",
    find: "Id of a turn, call or approval, or a row number",
    idOrRow: "Id or row number",
    search: "Find",
    none: "There is no such record.",
    more: "Earlier",
    turn: "This turn only",
    unlinked: "not in the chain",
    check: "Check the chain",
    checking: "Checking…",
    checkFailed: "The check did not finish. Try again.",
    intact: (rows, erased) =>
      erased === 0
        ? `All ${rows} rows are as they were written`
        : `All ${rows} rows are as they were written; the words of ${erased} were erased on request`,
    broken: (sound) => `Broken: the first ${sound} rows are sound, something was changed after them`,
  },
  config: {
    ...editor,
    files: "Configuration files",
    what: "A change is checked with the whole configuration first, then written to config/system; comments and order stay. Locked keys decide what she runs and where she connects to: they change on the machine only.",
    broken: "has faults",
    machineOnly: "changes on the machine only",
    line: (line) => `line ${line}`,
    lockedKeys: (count) => `${plural(count, "key changes", "keys change")} on the machine only`,
  },
};
